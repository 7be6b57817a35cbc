package dev.onejob.server.http.wire;

import dev.onejob.domain.Binding;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Skip;
import dev.onejob.engine.Proofs.ProviderState;
import dev.onejob.provider.Capabilities;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What providers have proved, and whether they answer. */
public final class ProofWriter {
  private ProofWriter() {}

  /**
   * A page of a list.
   *
   * @param cursor of the next page; null at the end
   */
  public static byte[] writePage(List<Qualification> page, @Nullable String cursor) {
    return JsonOut.object(
        out -> {
          out.list("qualifications", page, ProofWriter::qualification);
          out.text("next_cursor", cursor);
        });
  }

  /** The providers of a node. */
  public static byte[] writeProviders(List<ProviderState> providers) {
    return JsonOut.object(out -> out.list("providers", providers, ProofWriter::provider));
  }

  private static void qualification(JsonOut out, Qualification pass) {
    out.number("id", pass.id());
    out.text("kind", pass.kind());
    out.text("provider", pass.provider());
    out.member("binding", pass.binding(), ProofWriter::binding);
    out.text("answering_model", pass.answeringModel());
    out.text("run", pass.run());
    out.time("passed_at", pass.passedAt());
    out.time("valid_until", pass.validUntil());
    out.number("breaches", pass.breaches());
    out.member("withdrawal", pass.withdrawal(), ProofWriter::withdrawal);
  }

  private static void binding(JsonOut out, Binding binding) {
    out.text("digest", binding.digest());
    out.text("contract", binding.contractHash());
    out.text("settings", binding.settingsHash());
    out.text("adapter", binding.adapterVersion());
    out.text("model", binding.requestedModel());
  }

  private static void withdrawal(JsonOut out, Qualification.Withdrawal withdrawal) {
    out.time("at", withdrawal.at());
    out.text("by", withdrawal.by());
    out.text("reason", withdrawal.reason());
  }

  private static void provider(JsonOut out, ProviderState provider) {
    out.text("name", provider.name());
    Circuit circuit = provider.circuit();
    out.text("circuit", (circuit == null ? Circuit.State.CLOSED : circuit.state()).word());
    out.number("failures", circuit == null ? 0 : circuit.failures());
    out.member("failure", circuit == null ? null : circuit.failure(), AttemptWriter::failure);
    out.time("failed_at", circuit == null ? null : circuit.failedAt());
    Circuit.Opened opened = circuit == null ? null : circuit.opened();
    out.time("opened_at", opened == null ? null : opened.at());
    out.time("open_until", opened == null ? null : opened.until());
    out.id("trial_attempt", opened == null ? null : opened.trial());
    out.member("capabilities", provider.capabilities(), ProofWriter::capabilities);
  }

  private static void capabilities(JsonOut out, Capabilities declared) {
    out.text("submit_deduplication", word(declared.submitDeduplication()));
    out.text("reference_survival", word(declared.referenceSurvival()));
    out.text("status_probe", word(declared.statusProbe()));
    out.text("negative_answer", word(declared.negativeAnswer()));
    out.text("cancel", word(declared.cancel()));
    out.text("terminal_state", word(declared.terminalState()));
    out.text("hidden_reexecution", word(declared.hiddenReexecution()));
    out.text("billing_on_cancel", word(declared.billingOnCancel()));
    seconds(out, "lifetime_bound_seconds", declared.lifetimeBound());
    seconds(out, "evidence_retention_seconds", declared.evidenceRetention());
  }

  private static String word(Enum<?> declared) {
    return declared.name().toLowerCase(Locale.ROOT);
  }

  private static void seconds(JsonOut out, String name, @Nullable Duration length) {
    if (length == null) {
      out.nothing(name);
    } else {
      out.seconds(name, length);
    }
  }

  static void skip(JsonOut out, Skip skip) {
    out.text("provider", skip.objection().provider());
    out.text("reason", skip.objection().reason().word());
    out.text("says", skip.objection().says());
    out.time("skipped_at", skip.skippedAt());
    out.time("last_at", skip.lastAt());
    out.number("times", skip.times());
  }
}
