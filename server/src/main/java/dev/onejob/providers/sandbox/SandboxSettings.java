package dev.onejob.providers.sandbox;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.ReferenceSurvival;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Capabilities.TerminalState;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a sandbox provider, as its schema has let them through. */
record SandboxSettings(
    @Nullable String url,
    @Nullable String providerName,
    @Nullable String deduplicates,
    @Nullable String status,
    @Nullable String notFound,
    @Nullable String ended,
    @Nullable String evidenceFor) {
  private static final Pattern DURATION = Pattern.compile("([0-9]+)(ms|s|m|h|d)");

  /** What a provider with these settings promises. */
  Capabilities capabilities() {
    return new Capabilities(
        "key".equals(deduplicates) ? SubmitDeduplication.HEADER_KEY : SubmitDeduplication.NONE,
        byReference() ? ReferenceSurvival.CUSTOM_ID : ReferenceSurvival.NONE,
        statusProbe(),
        "final".equals(notFound) ? NegativeAnswer.FINAL : NegativeAnswer.MAY_COME_LATER,
        Capabilities.Cancel.NONE,
        "may-change".equals(ended) ? TerminalState.MAY_CHANGE : TerminalState.STABLE,
        Capabilities.HiddenReexecution.NONE,
        Capabilities.BillingOnCancel.FULL,
        null,
        evidenceFor == null ? null : duration(evidenceFor));
  }

  private boolean byReference() {
    return "by-reference".equals(status);
  }

  private StatusProbe statusProbe() {
    if (byReference()) {
      return StatusProbe.BY_REFERENCE;
    }
    return "by-id".equals(status) ? StatusProbe.BY_PROVIDER_ID : StatusProbe.NONE;
  }

  private static Duration duration(String text) {
    Matcher form = DURATION.matcher(text);
    if (!form.matches()) {
      throw new IllegalStateException("the schema has let " + text + " through");
    }
    long amount = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
