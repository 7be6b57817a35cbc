package dev.onejob.providers.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.testkit.ProviderContract;
import dev.onejob.testkit.RecordingWatch;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of failures and the scenes of the contract can fail: an adapter that is wrong in one
 * way falls through by the rules about it.
 */
final class CrookedChatTest {
  private static volatile UnaryOperator<Provider> bend = UnaryOperator.identity();

  /** A wrong adapter, the rules that it breaks, and whose rules they are. */
  private record Case(
      String name, UnaryOperator<Provider> bend, Class<?> contract, List<String> breaks) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** How an adapter hears an answer. */
  private interface Ear {
    Outcome hear(Provider provider, ProviderRequest request, CallWatch watch)
        throws InterruptedException;
  }

  private record Bent(Provider straight, Ear ear) implements Provider {
    @Override
    public Capabilities capabilities() {
      return straight.capabilities();
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      return ear.hear(straight, request, watch);
    }
  }

  private static UnaryOperator<Provider> hearing(Ear ear) {
    return provider -> new Bent(provider, ear);
  }

  private static UnaryOperator<Provider> taking(UnaryOperator<Outcome> outcome) {
    return hearing((provider, request, watch) -> outcome.apply(provider.call(request, watch)));
  }

  private static Outcome again(Provider provider, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    Outcome first = provider.call(request, watch);
    return first instanceof Outcome.InDoubt ? provider.call(request, watch) : first;
  }

  private static Outcome refused(Outcome outcome) {
    return outcome instanceof Outcome.InDoubt doubt
        ? new Outcome.Refused(doubt.reason(), Retryability.RETRYABLE, null)
        : outcome;
  }

  private static Outcome believed(Outcome outcome) {
    Result something = new Result(Result.Format.TEXT, new byte[] {'x'});
    return outcome instanceof Outcome.InDoubt ? new Outcome.Succeeded(something, null) : outcome;
  }

  private static Outcome doubted(Outcome outcome) {
    return outcome instanceof Outcome.Refused refused
        ? new Outcome.InDoubt(refused.failure())
        : outcome;
  }

  private static Outcome wordy(Outcome outcome) {
    return outcome instanceof Outcome.InDoubt
        ? new Outcome.InDoubt(new Failure("status-500", "\u001b[31mred"))
        : outcome;
  }

  /** Asks nobody whether the request may leave, or whether a stop was asked. */
  private static Outcome regardless(Provider provider, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    return provider.call(request, new RecordingWatch());
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "one that tries again by itself when it hears nothing",
            hearing(CrookedChatTest::again),
            OnTable.class,
            List.of(
                "a_connection_that_ends_after_the_request_is_doubt_and_nothing_is_sent_again",
                "silence_before_the_first_byte_has_a_timeout_of_its_own")),
        new Case(
            "one that calls it a refusal when it hears nothing",
            taking(CrookedChatTest::refused),
            OnTable.class,
            List.of(
                "a_connection_that_is_reset_once_a_byte_has_left_is_doubt",
                "every_status_of_4xx_and_5xx_means_what_the_table_says",
                "silence_is_doubt_when_the_patience_is_over")),
        new Case(
            "one that takes whatever came for a result",
            taking(CrookedChatTest::believed),
            OnTable.class,
            List.of(
                "an_answer_that_is_cut_short_is_doubt_wherever_it_is_cut",
                "an_answer_that_announces_too_much_is_not_read")),
        new Case(
            "one that doubts what was never sent",
            taking(CrookedChatTest::doubted),
            OnTable.class,
            List.of(
                "a_refused_connection_sent_nothing",
                "a_failed_handshake_sent_nothing",
                "a_200_with_an_error_of_before_any_work_is_no_result")),
        new Case(
            "one that tries again by itself, on the stage",
            hearing(CrookedChatTest::again),
            OnStage.class,
            List.of(
                "takes_a_cut_connection_for_doubt_and_sends_nothing_again",
                "takes_silence_for_doubt_within_its_bound")),
        new Case(
            "one that takes whatever came for a result, on the stage",
            taking(CrookedChatTest::believed),
            OnStage.class,
            List.of("takes_garbage_neither_for_a_result_nor_for_a_refusal")),
        new Case(
            "one that hands the words of strangers on",
            taking(CrookedChatTest::wordy),
            OnStage.class,
            List.of("keeps_the_words_of_strangers_short_and_harmless")),
        new Case(
            "one that sends whatever anybody says",
            hearing(CrookedChatTest::regardless),
            OnStage.class,
            List.of(
                "brings_a_result_and_says_when_the_request_was_handed_over",
                "a_stop_that_was_asked_before_sends_nothing",
                "an_attempt_that_is_in_doubt_before_its_request_has_left_sends_nothing")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_wrong_adapter_fails_by_each_rule_that_it_breaks(Case wrong) {
    bend = wrong.bend();
    for (String rule : wrong.breaks()) {
      TestExecutionSummary summary = run(wrong.contract(), rule);
      assertThat(summary.getTestsFailedCount()).as(rule).isEqualTo(1);
    }
  }

  @Test
  void the_same_rules_hold_when_nothing_is_bent() {
    bend = UnaryOperator.identity();
    cases()
        .flatMap(each -> each.breaks().stream().map(rule -> run(each.contract(), rule)))
        .forEach(
            summary ->
                assertThat(summary.getTestsSucceededCount())
                    .as("%s", summary.getFailures())
                    .isEqualTo(1));
  }

  private static TestExecutionSummary run(Class<?> contract, String rule) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectMethod(contract, rule)).build();
    LauncherFactory.create().execute(request, listener);
    assertThat(listener.getSummary().getTestsStartedCount()).as(rule).isEqualTo(1);
    return listener.getSummary();
  }

  /** The table over the bent adapter; found by the launcher above and nobody else. */
  static final class OnTable implements FailureTableContract {
    private final OpenAiChatFailuresTest straight = new OpenAiChatFailuresTest();

    @Override
    public ProviderType type() {
      return new BentType(straight.type());
    }

    @Override
    public ObjectNode settings(URI address) {
      return straight.settings(address);
    }

    @Override
    public String good() {
      return straight.good();
    }

    @Override
    public String mediaType() {
      return straight.mediaType();
    }

    @Override
    public List<String> cuts() {
      return straight.cuts();
    }
  }

  /** The scenes over the bent adapter; found by the launcher above and nobody else. */
  static final class OnStage implements ProviderContract {
    private final OpenAiChatContractTest straight = new OpenAiChatContractTest();

    @AfterEach
    void close() throws IOException {
      straight.close();
    }

    @Override
    public Optional<Stage> set(Scene scene) throws IOException {
      return straight
          .set(scene)
          .map(stage -> new Stage(bend.apply(stage.provider()), stage.input(), stage.requests()));
    }
  }

  private record BentType(ProviderType straight) implements ProviderType {
    @Override
    public String name() {
      return straight.name();
    }

    @Override
    public JsonNode settingsSchema() {
      return straight.settingsSchema();
    }

    @Override
    public Provider create(String providerName, JsonNode settings, ProviderContext context) {
      return bend.apply(straight.create(providerName, settings, context));
    }
  }
}
