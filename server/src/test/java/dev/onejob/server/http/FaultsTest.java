package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is answered when something breaks on our side. */
final class FaultsTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void without_the_database_it_says_that_nothing_is_known_and_when_to_come_back() {
    ApiAnswer submitted = api.client().submit("k", "plain", "{}");
    ApiClient unseen = new ApiClient(api.uri(), api.node().secret(Role.CLIENT, "late"));
    ((HikariDataSource) api.dataSource()).close();
    assertUnavailable(api.client().get("/v1/jobs/" + submitted.at("/id")));
    assertUnavailable(api.client().submit("k", "plain", "{}"));
    assertUnavailable(unseen.get("/v1/jobs"));
  }

  private static void assertUnavailable(ApiAnswer answer) {
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("database-unavailable");
    assertThat(answer.header("Retry-After")).isPresent();
  }

  @Test
  void a_fault_that_nobody_expected_shows_an_id_and_no_internals() throws SQLException {
    try (Connection connection = api.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE onejob_server.api_key RENAME COLUMN role TO gone");
    }
    ApiAnswer answer = api.operator().get("/v1/keys");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.code()).isEqualTo("internal-error");
    assertThat(answer.at("/incident")).hasSize(36);
    assertThat(answer.text()).doesNotContain("api_key", "column", "SQL", "Exception");
  }
}
