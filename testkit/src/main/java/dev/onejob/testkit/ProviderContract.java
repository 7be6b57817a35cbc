package dev.onejob.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the engine relies on in every adapter. A test class implements this interface and sets the
 * scenes; the rules are here. {@link RecallContract} is about single questions, {@link
 * PromiseContract} about what becomes of a whole job by what the adapter declares.
 */
public interface ProviderContract extends RecallContract, PromiseContract {
  /** What a provider may do. */
  enum Scene {
    /** Acts and answers at once. */
    SUCCESS,
    /** Acts and answers after {@link #SHORT}, and well before twice that. */
    LATE_SUCCESS,
    /** Says that it will not do it, and that nothing was done. */
    REFUSAL,
    /** Refuses or fails with words full of control characters, longer than any message may be. */
    HOSTILE_WORDS,
    /** There is nobody to send a request to. */
    UNREACHABLE,
    /** Takes the request and says nothing for ever. */
    SILENCE,
    /** Takes the request and is cut off without a word. */
    CUT,
    /** Answers what is no answer. */
    GARBAGE,
    /** Answers more than {@link Limits#RESULT_BYTES_MAX}. */
    TOO_LARGE,
    /** Answers JSON nested deeper than {@link Limits#JSON_DEPTH_MAX}. */
    TOO_DEEP
  }

  /**
   * A provider in a scene.
   *
   * @param requests how many requests have reached it so far
   */
  record Stage(Provider provider, byte[] input, IntSupplier requests) {}

  /** Sets a scene; empty if this adapter cannot come into it. */
  Optional<Stage> set(Scene scene) throws Exception;

  @Override
  default Provider any() throws Exception {
    return stage(Scene.SUCCESS).provider();
  }

  /** Sets a scene, or skips the test. */
  default Stage stage(Scene scene) throws Exception {
    Optional<Stage> stage = set(scene);
    Assumptions.assumeTrue(stage.isPresent(), "cannot come into the scene " + scene);
    return stage.orElseThrow();
  }

  /** Plays a scene to its end. */
  default Outcome play(Stage stage, Duration timeout, Duration late) throws Exception {
    return ProviderCall.start(stage.provider(), ProviderCall.request(stage.input(), timeout, late))
        .outcome();
  }

  @Test
  default void brings_a_result_and_says_when_the_request_was_handed_over() throws Exception {
    Stage stage = stage(Scene.SUCCESS);
    ProviderCall call =
        ProviderCall.start(
            stage.provider(), ProviderCall.request(stage.input(), AMPLE, Duration.ZERO));
    assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
    byte[] result = ((Outcome.Succeeded) call.outcome()).result().bytes();
    assertThat(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(result)).toString())
        .isNotEmpty();
    assertThat(call.watch().handOvers()).isEqualTo(1);
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void brings_an_answer_that_comes_after_the_timeout() throws Exception {
    Stage stage = stage(Scene.LATE_SUCCESS);
    assertThat(play(stage, SHORT, AMPLE)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void says_refused_where_nothing_was_done() throws Exception {
    assertThat(play(stage(Scene.REFUSAL), AMPLE, Duration.ZERO))
        .isInstanceOf(Outcome.Refused.class);
  }

  @Test
  default void says_refused_where_nothing_could_be_sent() throws Exception {
    Stage stage = stage(Scene.UNREACHABLE);
    assertThat(play(stage, AMPLE, Duration.ZERO)).isInstanceOf(Outcome.Refused.class);
    assertThat(stage.requests().getAsInt()).isZero();
  }

  @Test
  default void takes_silence_for_doubt_within_its_bound() throws Exception {
    Stage stage = stage(Scene.SILENCE);
    long began = System.nanoTime();
    assertThat(play(stage, SHORT, SHORT)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(SHORT, SHORT.multipliedBy(2).plus(MARGIN));
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void takes_a_cut_connection_for_doubt_and_sends_nothing_again() throws Exception {
    Stage stage = stage(Scene.CUT);
    assertThat(play(stage, AMPLE, Duration.ZERO)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void takes_garbage_neither_for_a_result_nor_for_a_refusal() throws Exception {
    Stage stage = stage(Scene.GARBAGE);
    assertThat(play(stage, AMPLE, Duration.ZERO))
        .isInstanceOfAny(Outcome.InDoubt.class, Outcome.Failed.class);
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void fails_plainly_with_a_result_that_is_too_large() throws Exception {
    Outcome outcome = play(stage(Scene.TOO_LARGE), AMPLE, Duration.ZERO);
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(failure(outcome).code()).isEqualTo(Failure.RESULT_TOO_LARGE);
  }

  @Test
  default void fails_plainly_with_a_result_that_is_nested_too_deep() throws Exception {
    Outcome outcome = play(stage(Scene.TOO_DEEP), AMPLE, Duration.ZERO);
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(failure(outcome).code()).isEqualTo(Failure.RESULT_INVALID);
  }

  @Test
  default void keeps_the_words_of_strangers_short_and_harmless() throws Exception {
    String message = failure(play(stage(Scene.HOSTILE_WORDS), AMPLE, Duration.ZERO)).message();
    assertThat(message.length()).isLessThanOrEqualTo(Limits.MESSAGE_CHARS_MAX);
    assertThat(message.chars().filter(c -> c < ' ' && c != '\n' && c != '\t')).isEmpty();
  }

  @Test
  default void a_stop_changes_nothing_where_the_provider_cannot_be_stopped() throws Exception {
    Stage stage = stage(Scene.LATE_SUCCESS);
    assumeThat(canBeStopped(stage)).isFalse();
    ProviderCall call =
        ProviderCall.start(stage.provider(), ProviderCall.request(stage.input(), AMPLE, AMPLE));
    await().until(() -> stage.requests().getAsInt() == 1);
    call.watch().stop();
    assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
  }

  private static boolean canBeStopped(Stage stage) {
    return stage.provider().capabilities().cancel() != Capabilities.Cancel.NONE;
  }

  @Test
  default void a_stop_ends_the_call_and_claims_no_more_than_is_known() throws Exception {
    Stage stage = stage(Scene.SILENCE);
    assumeThat(canBeStopped(stage)).isTrue();
    ProviderCall call =
        ProviderCall.start(stage.provider(), ProviderCall.request(stage.input(), AMPLE, AMPLE));
    await().until(() -> stage.requests().getAsInt() == 1);
    call.watch().stop();
    assertThat(call.outcome()).isInstanceOfAny(Outcome.Stopped.class, Outcome.InDoubt.class);
    assertThat(stage.requests().getAsInt()).isEqualTo(1);
  }

  @Test
  default void a_stop_that_was_asked_before_sends_nothing() throws Exception {
    Stage stage = stage(Scene.SUCCESS);
    ProviderCall call =
        ProviderCall.startStopped(
            stage.provider(), ProviderCall.request(stage.input(), AMPLE, Duration.ZERO));
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(stage.requests().getAsInt()).isZero();
  }

  @Test
  default void an_attempt_that_is_in_doubt_before_its_request_has_left_sends_nothing()
      throws Exception {
    Stage stage = stage(Scene.SUCCESS);
    ProviderCall call =
        ProviderCall.startWithheld(
            stage.provider(), ProviderCall.request(stage.input(), AMPLE, Duration.ZERO));
    assertThat(call.outcome()).isInstanceOf(Outcome.Refused.class);
    assertThat(call.watch().handOvers()).isZero();
    assertThat(stage.requests().getAsInt()).isZero();
  }

  @Test
  default void an_interrupt_ends_the_call() throws Exception {
    Stage stage = stage(Scene.SILENCE);
    ProviderCall call =
        ProviderCall.start(stage.provider(), ProviderCall.request(stage.input(), AMPLE, AMPLE));
    await().until(() -> stage.requests().getAsInt() == 1);
    call.interrupt();
    assertThatThrownBy(call::outcome).hasCauseInstanceOf(InterruptedException.class);
  }

  @ParameterizedTest
  @EnumSource
  default void never_sends_more_than_one_request(Scene scene) throws Exception {
    Stage stage = stage(scene);
    play(stage, SHORT, SHORT);
    assertThat(stage.requests().getAsInt()).isLessThanOrEqualTo(1);
  }

  @Test
  default void serves_many_threads_with_one_request_each() throws Exception {
    Stage stage = stage(Scene.SUCCESS);
    int callers = 16;
    var calls =
        Stream.generate(() -> ProviderCall.request(stage.input(), AMPLE, Duration.ZERO))
            .limit(callers)
            .map(request -> ProviderCall.start(stage.provider(), request))
            .toList();
    for (ProviderCall call : calls) {
      assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
    }
    assertThat(stage.requests().getAsInt()).isEqualTo(callers);
  }

  @Test
  default void declares_the_same_capabilities_always() throws Exception {
    Provider provider = stage(Scene.SUCCESS).provider();
    assertThat(provider.capabilities()).isEqualTo(provider.capabilities());
  }

  private static Failure failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused refused -> refused.failure();
      case Outcome.Failed failed -> failed.failure();
      case Outcome.InDoubt doubt -> doubt.reason();
      case Outcome.Succeeded succeeded -> throw new AssertionError(outcome);
      case Outcome.Stopped stopped -> throw new AssertionError(outcome);
    };
  }
}
