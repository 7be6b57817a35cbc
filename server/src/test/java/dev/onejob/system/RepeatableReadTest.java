package dev.onejob.system;

import static dev.onejob.system.TwoNodes.atOnce;
import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.effects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C17 again, in a database whose transactions are REPEATABLE READ unless they say more. */
@Tag("process")
class RepeatableReadTest {
  private static final String STRICT =
      """
      DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET default_transaction_isolation = ''repeatable read''',
        current_database()); END $$
      """;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  @Test
  void two_hundred_submits_of_one_key_make_one_job_and_show_no_fault() throws Exception {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(STRICT);
    }
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder)) {
      List<Callable<ApiAnswer>> clicks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        ApiClient client = i % 2 == 0 ? nodes.client1 : nodes.client2;
        clicks.add(() -> client.submit("order-17", "demo", "{}"));
      }
      List<ApiAnswer> answers = atOnce(clicks);
      String id = answers.getFirst().at("/id");

      assertThat(answers).extracting(ApiAnswer::status).containsOnly(200, 201);
      assertThat(answers).extracting(a -> a.at("/id")).containsOnly(id);
      awaitJob(nodes.client2, id, "/state", "succeeded");
      assertThat(effects(nodes.client1, id)).isEqualTo(1);
    }
  }
}
