package dev.onejob.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The part of {@link ProviderContract} about asking: what an adapter declares that it can be asked
 * by, it has to keep.
 */
public interface RecallContract {
  /** Ample for any answer that is meant to come. */
  Duration AMPLE = Duration.ofSeconds(90);

  /** A timeout that a test waits for. */
  Duration SHORT = Duration.ofMillis(500);

  /** How much later than its bound a call may return on a busy machine. */
  Duration MARGIN = Duration.ofSeconds(20);

  /** The provider, with the settings that the scenes are set for. */
  Provider any() throws Exception;

  /** What a provider that can be asked about its requests may say. */
  enum Memory {
    /** The request acted, and its answer was lost. */
    DONE,
    /** The request was refused or failed, and its answer was lost. */
    FAILED,
    /** The request is still at work. */
    AT_WORK,
    /** The request has never arrived. */
    NEVER_ARRIVED,
    /** It cannot be reached. */
    UNREACHABLE,
    /** It does not answer the question. */
    SILENCE,
    /** It answers what is no answer. */
    GARBAGE
  }

  /**
   * A provider that can be asked, with what is to be asked about.
   *
   * @param effects how often it has acted so far
   * @param providerRef the provider's id of the work, where it is asked by that; else null
   */
  record Recall(
      Provider provider,
      ProviderRequest request,
      IntSupplier effects,
      @Nullable String providerRef) {
    /** One that is asked by our reference. */
    public Recall(Provider provider, ProviderRequest request, IntSupplier effects) {
      this(provider, request, effects, null);
    }
  }

  /**
   * Sets a scene in which the provider is asked about a request: it has been sent already, but for
   * {@link Memory#NEVER_ARRIVED} and {@link Memory#UNREACHABLE}. Empty if this adapter cannot come
   * into it; none can that declares nothing to be asked by.
   */
  default Optional<Recall> set(Memory memory) throws Exception {
    return Optional.empty();
  }

  /** Sets a scene in which the provider can be looked up, or skips the test. */
  default Recall lookedUp(Memory memory) throws Exception {
    Optional<Recall> recall = set(memory);
    Assumptions.assumeTrue(
        recall.isPresent() && looksUp(recall.get().provider()), "cannot be asked when " + memory);
    return recall.orElseThrow();
  }

  /** Sets a scene in which the request can be sent again, or skips the test. */
  default Recall replayed(Memory memory) throws Exception {
    Optional<Recall> recall = set(memory);
    Assumptions.assumeTrue(
        recall.isPresent() && replays(recall.get().provider()), "cannot replay when " + memory);
    return recall.orElseThrow();
  }

  private static boolean looksUp(Provider provider) {
    StatusProbe status = provider.capabilities().statusProbe();
    return status == StatusProbe.BY_REFERENCE || status == StatusProbe.BY_PROVIDER_ID;
  }

  private static boolean replays(Provider provider) {
    return provider.capabilities().submitDeduplication() != SubmitDeduplication.NONE
        && provider.capabilities().evidenceRetention() != null;
  }

  private static Inquiry inquiry(
      ProviderRequest request, @Nullable String providerRef, Duration timeout) {
    return new Inquiry(
        request.jobId(),
        request.attemptId(),
        request.number(),
        request.kind(),
        request.providerKey(),
        providerRef,
        timeout);
  }

  private static Finding lookUp(Recall recall, Duration timeout) throws InterruptedException {
    return recall.provider().lookup(inquiry(recall.request(), recall.providerRef(), timeout));
  }

  @Test
  default void what_declares_nothing_to_be_asked_by_has_no_scene_in_which_it_is() throws Exception {
    Provider provider = any();
    assumeThat(looksUp(provider) || replays(provider)).isFalse();
    for (Memory memory : Memory.values()) {
      assertThat(set(memory)).isEmpty();
    }
    ProviderRequest request = ProviderCall.request(new byte[0], SHORT, Duration.ZERO);
    assertThat(provider.lookup(inquiry(request, null, SHORT)))
        .isInstanceOf(Finding.CannotSay.class);
    assertThat(provider.replay(request, () -> true)).isInstanceOf(Finding.CannotSay.class);
  }

  @ParameterizedTest
  @EnumSource
  default void a_look_up_says_what_became_of_the_request_and_never_acts(Memory memory)
      throws Exception {
    Recall recall = lookedUp(memory);
    int effects = recall.effects().getAsInt();

    Finding finding = lookUp(recall, memory == Memory.SILENCE ? SHORT : AMPLE);

    assertThat(finding)
        .isInstanceOf(
            switch (memory) {
              case DONE -> Finding.Succeeded.class;
              case FAILED -> Finding.Failed.class;
              case AT_WORK -> Finding.AtWork.class;
              case NEVER_ARRIVED -> Finding.NotFound.class;
              case UNREACHABLE, SILENCE, GARBAGE -> Finding.CannotSay.class;
            });
    assertThat(recall.effects().getAsInt()).isEqualTo(effects);
  }

  @Test
  default void a_look_up_that_finds_nothing_for_good_closes_the_door_to_the_request()
      throws Exception {
    Recall recall = lookedUp(Memory.NEVER_ARRIVED);
    assumeThat(recall.provider().capabilities().negativeAnswer()).isEqualTo(NegativeAnswer.FINAL);
    assertThat(lookUp(recall, AMPLE)).isInstanceOf(Finding.NotFound.class);

    Outcome late = ProviderCall.start(recall.provider(), recall.request()).outcome();

    assertThat(late).isInstanceOf(Outcome.Refused.class);
    assertThat(recall.effects().getAsInt()).isZero();
  }

  @Test
  default void an_interrupt_ends_a_question() throws Exception {
    Recall recall = lookedUp(Memory.SILENCE);
    CompletableFuture<Finding> finding = new CompletableFuture<>();
    Thread asking =
        Thread.startVirtualThread(
            () -> {
              try {
                finding.complete(lookUp(recall, AMPLE));
              } catch (InterruptedException e) {
                finding.completeExceptionally(e);
              }
            });
    asking.interrupt();
    assertThat(finding)
        .failsWithin(MARGIN)
        .withThrowableThat()
        .withCauseInstanceOf(InterruptedException.class);
  }

  @Test
  default void a_replay_of_what_acted_brings_its_answer_and_does_not_act_again() throws Exception {
    Recall recall = replayed(Memory.DONE);
    int effects = recall.effects().getAsInt();

    Finding first = recall.provider().replay(recall.request(), () -> true);
    Finding second = recall.provider().replay(recall.request(), () -> true);

    assertThat(first).isInstanceOf(Finding.Succeeded.class);
    assertThat(((Finding.Succeeded) second).result().bytes())
        .isEqualTo(((Finding.Succeeded) first).result().bytes());
    assertThat(recall.effects().getAsInt()).isEqualTo(effects);
  }

  @Test
  default void a_replay_of_what_is_at_work_starts_nothing() throws Exception {
    Recall recall = replayed(Memory.AT_WORK);
    int effects = recall.effects().getAsInt();
    assertThat(recall.provider().replay(recall.request(), () -> true))
        .isInstanceOf(Finding.AtWork.class);
    assertThat(recall.effects().getAsInt()).isEqualTo(effects);
  }

  @Test
  default void a_replay_of_what_never_arrived_acts_once_however_often_it_is_sent()
      throws Exception {
    Recall recall = replayed(Memory.NEVER_ARRIVED);
    for (int i = 0; i < 3; i++) {
      assertThat(recall.provider().replay(recall.request(), () -> true))
          .isInstanceOf(Finding.Succeeded.class);
    }
    assertThat(recall.effects().getAsInt()).isEqualTo(1);
  }

  @Test
  default void a_replay_that_cannot_be_sent_says_nothing_about_the_attempt() throws Exception {
    Recall recall = replayed(Memory.UNREACHABLE);
    assertThat(recall.provider().replay(recall.request(), () -> true))
        .isInstanceOf(Finding.CannotSay.class);
  }

  @Test
  default void one_key_for_another_body_is_refused_and_says_nothing_about_the_first()
      throws Exception {
    Recall recall = replayed(Memory.DONE);
    int effects = recall.effects().getAsInt();
    ProviderRequest sent = recall.request();
    byte[] body = "{\"another\":\"body\"}".getBytes(StandardCharsets.UTF_8);
    ProviderRequest other = ProviderCall.withInput(sent, body);

    assertThat(recall.provider().replay(other, () -> true)).isInstanceOf(Finding.CannotSay.class);
    assertThat(ProviderCall.start(recall.provider(), other).outcome())
        .isInstanceOf(Outcome.Refused.class);
    assertThat(recall.effects().getAsInt()).isEqualTo(effects);
  }
}
