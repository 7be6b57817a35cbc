package dev.onejob.providers.responses;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Cancel;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.providers.http.Timeouts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What only this type has.
 *
 * @param background null: yes
 * @param store null: yes
 * @param ended null: may change
 * @param webhookSecretEnv null, as the file: no webhooks are taken, or the other one is said
 */
record ResponseSettings(
    @Nullable Boolean background,
    @Nullable Boolean store,
    @Nullable String pollInterval,
    @Nullable String ended,
    @Nullable String webhookSecretEnv,
    @Nullable String webhookSecretFile) {
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

  /** How long responses are kept that were asked to be stored. */
  private static final Duration STORED = Duration.ofDays(30);

  /** For how long one that is not stored can be asked about all the same. */
  private static final Duration NOT_STORED = Duration.ofMinutes(10);

  boolean inBackground() {
    return background == null || background;
  }

  boolean stored() {
    return store == null || store;
  }

  /** Once cancelled, some have been seen to be completed some minutes later. */
  TerminalState terminalState() {
    return "stable".equals(ended) ? TerminalState.STABLE : TerminalState.MAY_CHANGE;
  }

  Duration interval() {
    return pollInterval == null ? POLL_INTERVAL : Timeouts.setting(pollInterval, "/poll_interval");
  }

  /** The id comes with the answer: what is not in the background cannot be asked about. */
  Capabilities capabilities() {
    return new Capabilities(
        Capabilities.SubmitDeduplication.NONE,
        Capabilities.ReferenceSurvival.NONE,
        inBackground() ? StatusProbe.BY_PROVIDER_ID : StatusProbe.NONE,
        Capabilities.NegativeAnswer.MAY_COME_LATER,
        inBackground() ? Cancel.BEST_EFFORT : Cancel.DISCONNECT,
        terminalState(),
        Capabilities.HiddenReexecution.UNKNOWN,
        Capabilities.BillingOnCancel.UNKNOWN,
        null,
        inBackground() ? retention() : null);
  }

  private Duration retention() {
    return stored() ? STORED : NOT_STORED;
  }
}
