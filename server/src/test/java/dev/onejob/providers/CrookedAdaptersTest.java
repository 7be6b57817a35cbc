package dev.onejob.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Cancel;
import dev.onejob.provider.Capabilities.ReferenceSurvival;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Provider;
import dev.onejob.providers.httpkeyed.KeyedFarSide;
import dev.onejob.providers.sandbox.SandboxFarSide;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.Promise;
import dev.onejob.testkit.PromiseContract;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract of adapters can fail: for each promise there is an adapter that breaks it. */
final class CrookedAdaptersTest {
  private static final String REMEMBERS =
      """
      {"deduplicates":"key","status":"by-reference","not_found":"final","evidence_for":"10m"}
      """;
  private static final String FORGETS =
      """
      {"status":"by-reference","not_found":"may-come-later","evidence_for":"10m"}
      """;

  /** One for all cases: every far side counts from what it finds. */
  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  /** What the adapter on trial is made of; one trial at a time. */
  private static @Nullable Case onTrial;

  /** Opens the far side of a good adapter. */
  private interface Opening {
    FarSide open() throws IOException;
  }

  private record Case(String name, Promise breaks, Opening opening, UnaryOperator<Provider> bend) {
    @Override
    public String toString() {
      return name + " breaks " + breaks;
    }
  }

  /** Runs the one rule over the adapter on trial; found by the launcher below and nobody else. */
  static final class OnTrial implements PromiseContract {
    @Override
    public Provider any() throws IOException {
      try (FarSide far = farSide().orElseThrow()) {
        return far.provider();
      }
    }

    @Override
    public Optional<FarSide> farSide() throws IOException {
      return Optional.of(new Crooked.Bent(onTrial.opening().open(), onTrial.bend()));
    }
  }

  /** An adapter that declares much and shows nothing. */
  static final class Boaster implements PromiseContract {
    @Override
    public Provider any() throws IOException {
      try (FarSide far = remembering()) {
        return far.provider();
      }
    }
  }

  private static FarSide remembering() throws IOException {
    return SandboxFarSide.start(postgres.dataSource(), REMEMBERS);
  }

  private static FarSide forgetting() throws IOException {
    return SandboxFarSide.start(postgres.dataSource(), FORGETS);
  }

  private static FarSide plain() throws IOException {
    return SandboxFarSide.start(postgres.dataSource(), "{}");
  }

  private static FarSide payments() {
    return new KeyedFarSide();
  }

  private static Provider with(Provider provider, UnaryOperator<Declaration> change) {
    Capabilities c = provider.capabilities();
    Declaration declared =
        change.apply(
            new Declaration(
                c.referenceSurvival(),
                c.statusProbe(),
                c.negativeAnswer(),
                c.cancel(),
                c.lifetimeBound(),
                c.evidenceRetention()));
    return Crooked.declares(
        provider,
        new Capabilities(
            c.submitDeduplication(),
            declared.reference(),
            declared.probe(),
            declared.negative(),
            declared.cancel(),
            c.terminalState(),
            c.hiddenReexecution(),
            c.billingOnCancel(),
            declared.bound(),
            declared.retention()));
  }

  /** The part of the capabilities that is lied about here. */
  private record Declaration(
      ReferenceSurvival reference,
      StatusProbe probe,
      Capabilities.NegativeAnswer negative,
      Cancel cancel,
      @Nullable Duration bound,
      @Nullable Duration retention) {
    Declaration reference(ReferenceSurvival other) {
      return new Declaration(other, probe, negative, cancel, bound, retention);
    }

    Declaration probe(StatusProbe other) {
      return new Declaration(reference, other, negative, cancel, bound, retention);
    }

    Declaration finalAnswer() {
      return new Declaration(
          reference, probe, Capabilities.NegativeAnswer.FINAL, cancel, bound, retention);
    }

    Declaration cancel(Cancel other) {
      return new Declaration(reference, probe, negative, other, bound, retention);
    }

    Declaration bound(Duration other) {
      return new Declaration(reference, probe, negative, cancel, other, retention);
    }
  }

  static Stream<Case> cases() {
    return Stream.concat(doing(), declaring());
  }

  private static Stream<Case> doing() {
    return Stream.of(
        new Case(
            "sending again by itself",
            Promise.ONE_REQUEST_FOR_EACH_CALL,
            CrookedAdaptersTest::plain,
            Crooked::sendsAgain),
        new Case(
            "calling a lost answer a refusal",
            Promise.A_LOST_ANSWER_IS_IN_DOUBT,
            CrookedAdaptersTest::plain,
            Crooked::saysRefused),
        new Case(
            "asking by itself",
            Promise.WHAT_IS_NOT_DECLARED_IS_NOT_USED,
            CrookedAdaptersTest::payments,
            Crooked::asksByItself),
        new Case(
            "acting again when it replays",
            Promise.SUBMIT_DEDUPLICATION,
            CrookedAdaptersTest::payments,
            Crooked::actsAgain),
        new Case(
            "a look-up that never finds",
            Promise.LOOK_UP_BY_REFERENCE,
            CrookedAdaptersTest::remembering,
            Crooked::learnsNothing),
        new Case(
            "a look-up that guesses",
            Promise.LOOK_UP_BY_PROVIDER_ID,
            CrookedAdaptersTest::payments,
            Crooked::guesses),
        new Case(
            "calling it a stop where none can be made",
            Promise.CANCEL_IS_NOT_ASKED,
            CrookedAdaptersTest::plain,
            Crooked::hangsUp),
        new Case(
            "changing an end that it calls stable",
            Promise.ENDS_ARE_STABLE,
            CrookedAdaptersTest::remembering,
            Crooked::changesItsMind));
  }

  private static Stream<Case> declaring() {
    return Stream.of(
        new Case(
            "declaring a callback that it does not pass on",
            Promise.CALLBACK_ADDRESS,
            CrookedAdaptersTest::payments,
            p -> with(p, d -> d.reference(ReferenceSurvival.CALLBACK_ADDRESS))),
        new Case(
            "declaring that not found is final",
            Promise.NOT_FOUND_IS_FINAL,
            CrookedAdaptersTest::forgetting,
            p -> with(p, Declaration::finalAnswer)),
        new Case(
            "declaring a stop that it cannot make",
            Promise.CANCEL_IS_AUTHORITATIVE,
            CrookedAdaptersTest::plain,
            p -> Crooked.hangsUp(with(p, d -> d.cancel(Cancel.AUTHORITATIVE)))),
        new Case(
            "declaring a bound that does not hold",
            Promise.LIFETIME_BOUND,
            CrookedAdaptersTest::payments,
            p -> with(p, d -> d.bound(Duration.ofMinutes(30)))),
        new Case(
            "declaring an id that it does not give",
            Promise.LOOK_UP_BY_PROVIDER_ID,
            CrookedAdaptersTest::plain,
            p -> with(p, d -> d.probe(StatusProbe.BY_PROVIDER_ID))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void an_adapter_that_breaks_a_promise_fails(Case crooked) {
    onTrial = crooked;
    TestExecutionSummary summary = run(OnTrial.class, crooked.breaks());
    assertThat(summary.getTestsFailedCount()).as("%s", summary.getFailures()).isEqualTo(1);
    assertThat(summary.getFailures())
        .allSatisfy(each -> assertThat(each.getException()).isInstanceOf(AssertionError.class));
  }

  @Test
  void the_same_adapters_pass_when_nothing_is_bent() {
    for (Promise promise : new Promise[] {Promise.SUBMIT_DEDUPLICATION, Promise.ENDS_ARE_STABLE}) {
      onTrial =
          new Case("straight", promise, CrookedAdaptersTest::payments, UnaryOperator.identity());
      TestExecutionSummary summary = run(OnTrial.class, promise);
      assertThat(summary.getTestsSucceededCount()).as("%s", summary.getFailures()).isEqualTo(1);
    }
  }

  @Test
  void an_adapter_that_declares_and_does_not_show_fails() {
    TestExecutionSummary summary = run(Boaster.class, Promise.SUBMIT_DEDUPLICATION);
    assertThat(summary.getTestsFailedCount()).isEqualTo(1);
  }

  @Test
  void a_promise_that_is_not_made_is_skipped_and_says_so() {
    TestExecutionSummary summary = run(Boaster.class, Promise.LIFETIME_BOUND);
    assertThat(summary.getTestsAbortedCount()).isEqualTo(1);
  }

  private static TestExecutionSummary run(Class<?> contract, Promise promise) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                selectIteration(
                    selectMethod(contract, "keeps_what_it_declares", Promise.class.getName()),
                    promise.ordinal()))
            .build();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    assertThat(summary.getTestsStartedCount()).as("tests that ran").isEqualTo(1);
    return summary;
  }
}
