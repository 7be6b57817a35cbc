package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.WhenPressed;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Breaches in a row are in a row, on nodes that would look at passes by themselves far too late.
 */
class StreaksTest {
  private static final String KIND = "proved";
  private static final Binding BINDING = new Binding("contract", "settings", "1", "model");
  private static final Kind PROVED = Engines.exclusive(KIND, "a", "b").with(new Promise());
  private static final Demand DEMAND =
      new Demand(Map.of("a", BINDING, "b", BINDING), WhenPressed.REFUSE, 2);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider provider = new ScriptedProvider();
  private JobEngine one;
  private JobEngine other;
  private int submitted;

  @BeforeEach
  void start() {
    one = node();
    one.proofs()
        .record(new Qualification.Pass(KIND, "a", BINDING, null, "run", Duration.ofHours(1)));
    other = node();
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
  }

  private JobEngine node() {
    EngineConfig usual =
        Engines.config(List.of(PROVED), Map.of("a", provider, "b", new ScriptedProvider()));
    return JobEngine.start(
        postgres.dataSource(),
        new EngineConfig(
                "test",
                usual.kinds(),
                usual.providers(),
                64,
                Duration.ofHours(1),
                usual.sweepInterval())
            .with(Engines.HOLDING)
            .with(Map.of(KIND, DEMAND)));
  }

  /** An attempt ends with that answer, which comes to that node. */
  private void answered(JobEngine node, String json) {
    EngineFixture.submit(one, "k" + submitted++, KIND);
    AttemptId attempt = provider.next().request().attemptId();
    node.callbacks().take(attempt, ScriptedProvider.succeeded(json)).orElseThrow();
  }

  private Qualification pass() {
    return one.proofs().all(KIND, "a", null, 1).getFirst();
  }

  @Test
  void an_answer_that_keeps_the_contract_right_after_a_breach_ends_the_streak() {
    answered(one, Promise.BROKEN);
    answered(one, Promise.KEPT);
    answered(one, Promise.BROKEN);

    assertThat(pass().breaches()).isEqualTo(1);
    assertThat(pass().withdrawal()).isNull();
  }

  @Test
  void so_does_one_that_comes_to_another_node_as_soon_as_that_has_heard_of_the_breach() {
    answered(one, Promise.BROKEN);
    assertThat(pass().breaches()).isEqualTo(1);

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              answered(other, Promise.KEPT);
              return pass().breaches() == 0;
            });
  }

  @Test
  void without_one_between_them_they_withdraw_the_pass() {
    answered(one, Promise.BROKEN);
    answered(other, Promise.BROKEN);

    assertThat(pass().withdrawal().by()).isEqualTo(Qualification.BY_BREACHES);
  }
}
