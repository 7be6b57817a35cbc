package dev.onejob.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Cancel;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.FarSide.Fate;
import dev.onejob.testkit.FarSide.Tally;
import dev.onejob.testkit.Observed.Hearing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The part of {@link ProviderContract} about {@link Capabilities}: each declared one is shown to
 * work, in a real engine over a real PostgreSQL. The answer is lost on purpose, and the doubt ends
 * by that means and no other; what is not declared is never used. A promise that is not declared is
 * skipped and says so.
 *
 * <p>To hook an adapter in: implement {@link #farSide} with the adapter, its input for each {@link
 * Fate}, and what its server has really counted.
 */
public interface PromiseContract {
  /** How long it is watched that nothing happens. */
  Duration A_WHILE = Duration.ofMillis(600);

  /** Ample for any answer that is meant to come. */
  Duration LONG_ENOUGH = Duration.ofSeconds(20);

  /** Short, and long enough for questions to be put and answered on a busy machine. */
  Duration RETENTION = Duration.ofSeconds(5);

  /** The adapter. */
  Provider any() throws Exception;

  /**
   * A provider in the hands of the test. Empty only where nothing of the capabilities can be used:
   * an adapter that declares more fails without.
   */
  default Optional<FarSide> farSide() throws Exception {
    return Optional.empty();
  }

  @ParameterizedTest
  @EnumSource
  default void keeps_what_it_declares(Promise promise) throws Exception {
    Optional<FarSide> found = farSide();
    if (found.isEmpty()) {
      requireNothingDeclared(promise);
      return;
    }
    try (FarSide far = found.get()) {
      Assumptions.assumeTrue(
          promise.isDeclaredBy(far.provider().capabilities()), "not declared: " + promise);
      switch (promise) {
        case ONE_REQUEST_FOR_EACH_CALL -> oneRequest(far);
        case A_LOST_ANSWER_IS_IN_DOUBT -> lostAnswer(far);
        case WHAT_IS_NOT_DECLARED_IS_NOT_USED -> undeclared(far);
        case SUBMIT_DEDUPLICATION -> replayed(far);
        case LOOK_UP_BY_REFERENCE -> lookedUp(far, Fate.LOSE_ANSWER);
        case LOOK_UP_BY_PROVIDER_ID -> lookedUpById(far);
        case CALLBACK_ADDRESS -> callback(far);
        case NOT_FOUND_IS_FINAL -> notFoundForGood(far);
        case NOT_FOUND_MAY_COME_LATER -> notFoundYet(far);
        case CANCEL_IS_AUTHORITATIVE -> stoppedForSure(far);
        case CANCEL_IS_TRIED -> stopTried(far);
        case CANCEL_IS_NOT_ASKED -> stopNotAsked(far);
        case ENDS_ARE_STABLE -> failedForGood(far);
        case ENDS_MAY_CHANGE -> failedForNow(far);
        case LIFETIME_BOUND -> bounded(far);
        case EVIDENCE_RETENTION -> notAskedLater(far);
      }
    }
  }

  private void requireNothingDeclared(Promise promise) throws Exception {
    Capabilities declared = any().capabilities();
    boolean idle =
        switch (promise) {
          case ONE_REQUEST_FOR_EACH_CALL,
              A_LOST_ANSWER_IS_IN_DOUBT,
              WHAT_IS_NOT_DECLARED_IS_NOT_USED,
              CANCEL_IS_NOT_ASKED ->
              true; // the scenes of ProviderContract hold every adapter to these
          default -> false;
        };
    assertThat(promise.isDeclaredBy(declared) && !idle)
        .as("%s is declared, and there is no farSide() to show it", promise)
        .isFalse();
    Assumptions.abort("not declared: " + promise);
  }

  private static byte[] input(FarSide far, Fate fate) {
    return far.input(fate)
        .orElseThrow(() -> new AssertionError("declares what only " + fate + " can show"));
  }

  private static Trial trial(FarSide far, Provider provider, Effect effect, byte[] input) {
    return Trial.of(provider, effect, input, far.timeout());
  }

  private static Outcome call(FarSide far, Fate fate) throws Exception {
    ProviderRequest request = ProviderCall.request(input(far, fate), LONG_ENOUGH, Duration.ZERO);
    return ProviderCall.start(far.provider(), request).outcome();
  }

  private static Observed all(FarSide far) {
    return new Observed(far.provider(), far.provider().capabilities(), Hearing.ALL);
  }

  private static void oneRequest(FarSide far) throws Exception {
    for (Fate fate : List.of(Fate.SERVE, Fate.LOSE_ANSWER, Fate.LOSE_REQUEST)) {
      if (far.input(fate).isPresent()) {
        Tally before = far.tally();
        call(far, fate);
        Tally after = far.tally().since(before);
        assertThat(after.requests()).as("requests of a call: %s", fate).isLessThanOrEqualTo(1);
        assertThat(after.effects()).as("effects of a call: %s", fate).isLessThanOrEqualTo(1);
      }
    }
  }

  private static void lostAnswer(FarSide far) throws Exception {
    assertThat(call(far, Fate.LOSE_ANSWER)).isInstanceOf(Outcome.InDoubt.class);
  }

  /** An exclusive kind: nothing may be sent again, whatever is declared. */
  private static void undeclared(FarSide far) throws Exception {
    Capabilities declared = far.provider().capabilities();
    Tally before = far.tally();
    try (Trial trial = trial(far, all(far), Effect.EXCLUSIVE, input(far, Fate.LOSE_ANSWER))) {
      trial.awaitJob(job -> inDoubt(job) || job.standing().state().terminal());
      await().during(A_WHILE).until(() -> far.tally().since(before).requests() == 1);
      assertThat(far.tally().since(before).cancels()).as("cancels nobody asked for").isZero();
      if (declared.statusProbe() != StatusProbe.BY_REFERENCE) {
        assertThat(far.tally().since(before).questions())
            .as("questions without a reference to ask by")
            .isZero();
        assertThat(trial.job().standing().state()).isEqualTo(JobState.UNKNOWN);
      }
    }
  }

  private static boolean inDoubt(Job job) {
    return job.standing().state() == JobState.UNKNOWN;
  }

  private static void replayed(FarSide far) throws Exception {
    Tally before = far.tally();
    Provider alone = new Observed(far.provider(), byReplay(far), Hearing.ALL);
    try (Trial trial = trial(far, alone, Effect.KEYED, input(far, Fate.LOSE_ANSWER))) {
      Job job = trial.awaitState(JobState.SUCCEEDED);
      requireSucceededBy("replay", job);
    }
    assertThat(far.tally().since(before).effects()).as("effects").isEqualTo(1);
  }

  private static void requireSucceededBy(String source, Job job) {
    assertThat(job.standing().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(job.attempts()).hasSize(1);
    assertThat(job.attempts().getFirst().evidence())
        .filteredOn(kept -> kept.strength().equals("proof"))
        .extracting(Evidence::source)
        .containsExactly(source);
  }

  private static void lookedUp(FarSide far, Fate fate) throws Exception {
    Tally before = far.tally();
    Provider alone = new Observed(far.provider(), byLookUp(far), Hearing.ALL);
    try (Trial trial = trial(far, alone, Effect.EXCLUSIVE, input(far, fate))) {
      Job job = trial.awaitState(JobState.SUCCEEDED);
      requireSucceededBy("lookup", job);
    }
    assertThat(far.tally().since(before).requests()).as("requests for work").isEqualTo(1);
    assertThat(far.tally().since(before).effects()).as("effects").isEqualTo(1);
  }

  private static void lookedUpById(FarSide far) throws Exception {
    lookedUp(far, Fate.ACCEPT);
    Optional<byte[]> unacknowledged = far.input(Fate.LOSE_ANSWER);
    if (unacknowledged.isPresent()) {
      Observed alone = new Observed(far.provider(), byLookUp(far), Hearing.ALL);
      try (Trial trial = trial(far, alone, Effect.EXCLUSIVE, unacknowledged.get())) {
        trial.awaitJob(PromiseContract::inDoubt);
        await().during(A_WHILE).until(() -> alone.questions().isEmpty());
      }
    }
  }

  private static void callback(FarSide far) throws Exception {
    URI address = URI.create("https://jobs.example.com/v1/callbacks/attempts/att_1/s3cret");
    ProviderRequest plain =
        ProviderCall.request(input(far, Fate.SERVE), LONG_ENOUGH, Duration.ZERO);
    ProviderCall.start(far.provider(), ProviderCall.withCallback(plain, address)).outcome();
    assertThat(far.callbacks()).contains(address);
  }

  private static void notFoundForGood(FarSide far) throws Exception {
    Tally before = far.tally();
    Observed alone = new Observed(far.provider(), byLookUp(far), Hearing.ALL);
    try (Trial trial = trial(far, alone, Effect.EXCLUSIVE, input(far, Fate.LOSE_REQUEST))) {
      Job job = trial.awaitState(JobState.SUCCEEDED);
      assertThat(job.standing().state()).isEqualTo(JobState.SUCCEEDED);
      assertThat(job.attempts()).hasSize(2);
      assertThat(trial.first().standing().state()).isEqualTo(AttemptState.FAILED);
    }
    Outcome late = ProviderCall.start(far.provider(), alone.calls().getFirst()).outcome();
    assertThat(late).as("the lost request, when it arrives").isInstanceOf(Outcome.Refused.class);
    assertThat(far.tally().since(before).effects()).as("effects").isEqualTo(1);
  }

  private static void notFoundYet(FarSide far) throws Exception {
    Observed alone = new Observed(far.provider(), byLookUp(far), Hearing.ALL);
    try (Trial trial = trial(far, alone, Effect.EXCLUSIVE, input(far, Fate.LOSE_REQUEST))) {
      Job job = trial.awaitAskedEnough();
      assertThat(job.standing().state()).isEqualTo(JobState.UNKNOWN);
      assertThat(job.attempts()).hasSize(1);
    }
  }

  private static Trial held(FarSide far, Tally before) throws InterruptedException {
    Trial trial = trial(far, all(far), Effect.EXCLUSIVE, input(far, Fate.HOLD));
    await().until(() -> far.tally().since(before).requests() == 1);
    trial.cancel();
    return trial;
  }

  private static void stoppedForSure(FarSide far) throws Exception {
    Tally before = far.tally();
    try (Trial trial = held(far, before)) {
      Job job = trial.awaitJob(each -> each.standing().state().terminal());
      assertThat(job.standing().state()).isEqualTo(JobState.CANCELLED);
      far.release();
      assertThat(far.tally().since(before).effects()).as("effects of what was stopped").isZero();
    }
  }

  private static void stopTried(FarSide far) throws Exception {
    Tally before = far.tally();
    try (Trial trial = held(far, before)) {
      await().until(() -> far.tally().since(before).cancels() >= 1);
      far.release();
      Job job = trial.awaitJob(each -> each.standing().state() != JobState.RUNNING);
      if (job.standing().state() == JobState.CANCELLED) {
        assertThat(far.tally().since(before).effects()).as("effects when cancelled").isZero();
      }
    }
  }

  private static void stopNotAsked(FarSide far) throws Exception {
    Cancel declared = far.provider().capabilities().cancel();
    Tally before = far.tally();
    Fate fate = far.input(Fate.HOLD).isPresent() ? Fate.HOLD : Fate.LOSE_ANSWER;
    try (Trial trial = trial(far, all(far), Effect.EXCLUSIVE, input(far, fate))) {
      await().until(() -> far.tally().since(before).requests() == 1);
      trial.cancel();
      await().during(A_WHILE).until(() -> far.tally().since(before).cancels() == 0);
      if (declared == Cancel.NONE) {
        assertThat(trial.job().standing().state()).isNotEqualTo(JobState.CANCELLED);
      }
    }
  }

  private static void failedForGood(FarSide far) throws Exception {
    Observed observed = all(far);
    try (Trial trial = trial(far, observed, Effect.KEYED, input(far, Fate.FAIL_UNHEARD))) {
      trial.awaitState(JobState.FAILED);
      assertThat(trial.first().standing().state()).isEqualTo(AttemptState.FAILED);
      Asked.sameAlways(far.provider(), observed.calls().getFirst(), trial.first());
    }
  }

  private static void failedForNow(FarSide far) throws Exception {
    Observed observed = all(far);
    try (Trial trial = trial(far, observed, Effect.KEYED, input(far, Fate.FAIL_UNHEARD))) {
      Job job = trial.awaitAskedEnough();
      assertThat(job.standing().state()).isEqualTo(JobState.UNKNOWN);
      assertThat(trial.first().evidence()).extracting(Evidence::strength).containsOnly("hint");
    }
  }

  private static void bounded(FarSide far) throws Exception {
    Duration bound = Objects.requireNonNull(far.provider().capabilities().lifetimeBound());
    assertThat(bound).isPositive();
    Tally before = far.tally();
    ProviderRequest request =
        ProviderCall.request(input(far, Fate.HOLD), LONG_ENOUGH, Duration.ZERO);
    ProviderCall call = ProviderCall.start(far.provider(), request);
    await().until(() -> far.tally().since(before).requests() == 1);
    far.pass(bound);
    far.release();
    assertThat(far.tally().since(before).effects()).as("effects after the bound").isZero();
    call.interrupt();
  }

  private static void notAskedLater(FarSide far) throws Exception {
    Capabilities declared = far.provider().capabilities();
    assertThat(declared.evidenceRetention()).isPositive();
    Fate fate =
        declared.statusProbe() == StatusProbe.BY_PROVIDER_ID ? Fate.ACCEPT : Fate.LOSE_ANSWER;
    Observed deaf = new Observed(far.provider(), Asked.remembering(declared), Hearing.NOTHING);
    long began = System.nanoTime();
    try (Trial trial = trial(far, deaf, Effect.KEYED, input(far, fate))) {
      trial.awaitJob(job -> Asked.isOver(job));
      int asked = deaf.questions().size();
      await().during(A_WHILE).until(() -> deaf.questions().size() == asked);
      assertThat(asked).isPositive();
      assertThat(deaf.questions())
          .allSatisfy(
              at -> assertThat(Duration.ofNanos(at - began)).isLessThan(RETENTION.plus(A_WHILE)));
      assertThat(trial.job().standing().state()).isEqualTo(JobState.UNKNOWN);
    }
  }

  private static Capabilities byReplay(FarSide far) {
    return Asked.byReplay(far.provider().capabilities());
  }

  private static Capabilities byLookUp(FarSide far) {
    return Asked.byLookUp(far.provider().capabilities());
  }
}
