package dev.onejob.server.qualification;

import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.engine.ProbePolicy;
import dev.onejob.provider.Provider;
import java.time.Duration;
import java.util.List;

/** The built-in kind and owner of the questions of qualifications. */
public final class Probes {
  /** The kind, and the one provider on its route. */
  public static final String KIND = "onejob.qualification";

  /** To whom the jobs belong. */
  public static final Owner OWNER = new Owner("onejob:qualification");

  /** How long a failure is played before silence counts. */
  static final Duration PLAY_TIMEOUT = Duration.ofSeconds(2);

  /** The adapter ends each question by itself; this is for one that does not. */
  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  /** Refusals that pass, such as rate limits, are no fault of an answer. */
  private static final int ATTEMPTS = 8;

  private static final int IN_FLIGHT = 4;
  private static final Duration BACKOFF_FIRST = Duration.ofSeconds(1);
  private static final Duration BACKOFF_MAX = Duration.ofMinutes(1);
  private static final Duration DOUBT = Duration.ofMinutes(5);

  private Probes() {}

  /** As the engine knows it. A question in doubt is not asked again; nobody waits for it. */
  static Kind kind() {
    Kind bare =
        new Kind(
            KIND,
            Effect.HARMLESS,
            List.of(KIND),
            TIMEOUT,
            Duration.ZERO,
            ATTEMPTS,
            new RetryPolicy(BACKOFF_FIRST, BACKOFF_MAX),
            null,
            null,
            WhenUnqualified.FAIL,
            IN_FLIGHT);
    return bare.with(new UnknownRule(DOUBT, Verdict.ABANDON, Then.WAIT));
  }

  /**
   * With its circuit as good as always closed: the providers behind it have their own, and a fault
   * of one is no reason to leave the others alone.
   */
  static ProviderSlot slot(Provider provider) {
    return new ProviderSlot(
        provider,
        IN_FLIGHT,
        ProbePolicy.USUAL,
        new CircuitPolicy(Integer.MAX_VALUE, BACKOFF_FIRST, BACKOFF_MAX));
  }
}
