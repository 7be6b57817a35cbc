package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What providers answer in cases C27, C28 and C32, from the socket to the stored result. */
@Tag("process")
class StrangeAnswersTest {
  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static NodeProcess node;
  private static ApiClient client;

  @BeforeAll
  static void start() {
    node = NodeProcess.start(postgres.url(), folder, "n1");
    client = node.client(node.firstKey("client"));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** A job whose provider answers 200 with that body, after its effect. */
  private static String answered(String key, String body) {
    return created(
        client.submit(
            key,
            "demo",
            "{\"script\":{\"sandbox-a\":{\"outcome\":\"status\",\"status\":200,"
                + body
                + ",\"effect_after_ms\":0}}}"));
  }

  @Test
  void c28_a_result_with_an_escaped_nul_is_stored_once_and_told_unchanged() {
    String id = answered("nul", "\"body\":\"{\\\"t\\\":\\\"a\\\\u0000b\\\"}\"");
    ApiAnswer job = awaitJob(client, id, "/state", "succeeded");

    assertThat(job.text()).contains("{\"t\":\"a\\u0000b\"}");
    assertThat(job.at("/result/t")).isEqualTo("a\u0000b");
    assertThat(effects(client, id)).isEqualTo(1);
  }

  @Test
  void c27_of_equal_members_of_a_result_the_last_is_stored_and_told() {
    String id = answered("twice", "\"body\":\"{\\\"qty\\\":1,\\\"qty\\\":-1}\"");
    ApiAnswer job = awaitJob(client, id, "/state", "succeeded");

    assertThat(job.text()).contains("\"result\":{\"qty\":-1}");
    assertThat(effects(client, id)).isEqualTo(1);
  }

  @Test
  void c32_an_oversized_and_a_bottomless_result_end_the_attempt_with_a_reason_and_one_effect() {
    String large =
        answered("large", "\"body\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\"body_repeat\":200000");
    String deep = answered("deep", "\"body\":\"[\",\"body_repeat\":100000");

    ApiAnswer ofLarge = awaitJob(client, large, "/attempts/0/state", "failed");
    ApiAnswer ofDeep = awaitJob(client, deep, "/attempts/0/state", "failed");

    assertThat(ofLarge.at("/attempts/0/failure/code")).isEqualTo("result-too-large");
    assertThat(ofDeep.at("/attempts/0/failure/message")).contains("128");
    for (String id : new String[] {large, deep}) {
      assertThat(effects(client, id)).isEqualTo(1);
      assertThat(requests(client, id)).isEqualTo(1);
    }
  }
}
