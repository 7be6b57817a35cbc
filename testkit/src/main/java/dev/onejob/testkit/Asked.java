package dev.onejob.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Job;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Ways of asking, one at a time. */
final class Asked {
  private static final int AGAIN = 3;

  private Asked() {}

  /** The same provider, which can be asked by sending the request again and by nothing else. */
  static Capabilities byReplay(Capabilities c) {
    return with(c, c.submitDeduplication(), StatusProbe.NONE, c.evidenceRetention());
  }

  /** The same provider, which can be looked up and takes nothing again. */
  static Capabilities byLookUp(Capabilities c) {
    return with(c, SubmitDeduplication.NONE, c.statusProbe(), c.evidenceRetention());
  }

  /** The same provider, which remembers for {@link PromiseContract#RETENTION}. */
  static Capabilities remembering(Capabilities c) {
    return with(c, c.submitDeduplication(), c.statusProbe(), PromiseContract.RETENTION);
  }

  private static Capabilities with(
      Capabilities c,
      SubmitDeduplication deduplication,
      StatusProbe probe,
      @Nullable Duration retention) {
    return new Capabilities(
        deduplication,
        c.referenceSurvival(),
        probe,
        c.negativeAnswer(),
        c.cancel(),
        c.terminalState(),
        c.hiddenReexecution(),
        c.billingOnCancel(),
        c.lifetimeBound(),
        retention);
  }

  /** Whether the asking about the first attempt has ended. */
  static boolean isOver(Job job) {
    return !job.attempts().isEmpty()
        && job.attempts().getFirst().probing() != null
        && job.attempts().getFirst().probing().ended() != null;
  }

  /** Asks about an attempt that has failed, several times, by whatever way there is. */
  static void sameAlways(Provider provider, ProviderRequest request, Attempt attempt)
      throws InterruptedException {
    for (int i = 0; i < AGAIN; i++) {
      assertThat(ask(provider, request, attempt.providerRef()))
          .as("what has failed, asked about again")
          .isInstanceOf(Finding.Failed.class);
    }
  }

  private static Finding ask(
      Provider provider, ProviderRequest request, @Nullable String providerRef)
      throws InterruptedException {
    StatusProbe probe = provider.capabilities().statusProbe();
    boolean looksUp =
        probe == StatusProbe.BY_REFERENCE
            || (probe == StatusProbe.BY_PROVIDER_ID && providerRef != null);
    return looksUp
        ? provider.lookup(
            new Inquiry(
                request.jobId(),
                request.attemptId(),
                request.number(),
                request.kind(),
                request.providerKey(),
                providerRef,
                PromiseContract.LONG_ENOUGH))
        : provider.replay(request, () -> true);
  }
}
