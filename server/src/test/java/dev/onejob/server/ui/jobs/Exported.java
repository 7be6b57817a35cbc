package dev.onejob.server.ui.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.CsvText;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** Many jobs to export, and what a file says about them. */
final class Exported {
  private Exported() {}

  static List<String> ids(UiPage page) {
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return CsvText.read(page.body()).stream()
        .map(line -> Objects.requireNonNull(line.get("id")))
        .toList();
  }

  private static final String FILL =
      """
      INSERT INTO onejob.job (id, owner, key, kind, effect, fingerprint_version, fingerprint, input,
        route, priority, tags, state, version, completed_by, live, starting, in_doubt,
        attempts_started, attempts_allowed, contested, when_unqualified, result_format, result,
        ended_at)
      SELECT overlay(gen_random_uuid()::text PLACING '018c' FROM 1 FOR 4)::uuid, ?, ? || n,
             'demo', 'exclusive', 1,
             decode(repeat('00', 32), 'hex'), '{}', '{sandbox-a}', 0, '{}', 'succeeded', 1,
             gen_random_uuid(), 0, 0, 0, 1, 3, false, 'wait', 'json', '{}', clock_timestamp()
        FROM generate_series(1, ?) AS n
      """;

  static void fill(UiNode node, String owner, int count, String prefix) throws SQLException {
    try (Connection connection = node.dataSource().getConnection();
        PreparedStatement insert = connection.prepareStatement(FILL)) {
      insert.setString(1, owner);
      insert.setString(2, prefix);
      insert.setInt(3, count);
      assertThat(insert.executeUpdate()).isEqualTo(count);
    }
  }
}
