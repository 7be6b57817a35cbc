package dev.onejob.providers.httpasync;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.BillingOnCancel;
import dev.onejob.provider.Capabilities.Cancel;
import dev.onejob.provider.Capabilities.HiddenReexecution;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.ReferenceSurvival;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.providers.InvalidSetting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a provider with these settings can be relied on for; the least where nothing is said. */
final class Promised {
  private static final AsyncSettings.Promises NOTHING =
      new AsyncSettings.Promises(null, null, null, null, null, null, null);

  private Promised() {}

  static Capabilities of(AsyncSettings settings) {
    AsyncSettings.Promises said = settings.promises() == null ? NOTHING : settings.promises();
    return new Capabilities(
        said.deduplicates() == null ? SubmitDeduplication.NONE : SubmitDeduplication.HEADER_KEY,
        settings.callback() == null ? ReferenceSurvival.NONE : ReferenceSurvival.CALLBACK_ADDRESS,
        StatusProbe.BY_PROVIDER_ID,
        "final".equals(said.notFound()) ? NegativeAnswer.FINAL : NegativeAnswer.MAY_COME_LATER,
        settings.cancel() == null ? Cancel.NONE : cancel(said.cancel()),
        "stable".equals(said.ended()) ? TerminalState.STABLE : TerminalState.MAY_CHANGE,
        hidden(said.hiddenReexecution()),
        billing(said.billingOnCancel()),
        null,
        evidenceFor(said));
  }

  private static Cancel cancel(@Nullable String word) {
    return switch (word == null ? "" : word) {
      case "authoritative" -> Cancel.AUTHORITATIVE;
      case "destructive" -> Cancel.DESTRUCTIVE;
      default -> Cancel.BEST_EFFORT;
    };
  }

  private static HiddenReexecution hidden(@Nullable String word) {
    return switch (word == null ? "" : word) {
      case "none" -> HiddenReexecution.NONE;
      case "switched-off" -> HiddenReexecution.SWITCHED_OFF;
      default -> HiddenReexecution.UNKNOWN;
    };
  }

  private static BillingOnCancel billing(@Nullable String word) {
    return switch (word == null ? "" : word) {
      case "free" -> BillingOnCancel.FREE;
      case "partial" -> BillingOnCancel.PARTIAL;
      case "full" -> BillingOnCancel.FULL;
      default -> BillingOnCancel.UNKNOWN;
    };
  }

  /** The shorter of both: what is asked by id, and what is sent again under its key. */
  private static @Nullable Duration evidenceFor(AsyncSettings.Promises said) {
    Duration asked = Durations.of(said.evidenceFor(), "/promises/evidence_for");
    AsyncSettings.Deduplicates key = said.deduplicates();
    Duration keyed =
        key == null ? null : Durations.of(key.keyFor(), "/promises/deduplicates/key_for");
    if (key != null && keyed == null && asked == null) {
      throw new InvalidSetting(
          "/promises/deduplicates", "say for how long a key holds, with key_for");
    }
    if ("final".equals(said.notFound()) && asked == null) {
      throw new InvalidSetting("/promises/not_found", "final needs evidence_for");
    }
    if (asked == null || keyed == null) {
      return asked == null ? keyed : asked;
    }
    return asked.compareTo(keyed) < 0 ? asked : keyed;
  }
}
