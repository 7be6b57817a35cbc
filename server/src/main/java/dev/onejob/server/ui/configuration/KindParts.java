package dev.onejob.server.ui.configuration;

import dev.onejob.domain.Kind;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.UnknownRule;
import dev.onejob.server.config.ProofRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of a kind, with those that hold where the file says nothing. */
final class KindParts {
  private KindParts() {}

  static List<Part> of(Kind kind, @Nullable ProofRules proofs) {
    List<Part> parts = new ArrayList<>();
    parts.add(
        Part.of(
            "kinds." + kind.name(),
            List.of(
                new Setting("effect", Value.of(kind.effect())),
                new Setting("route", Value.names(kind.route())),
                new Setting("attempt_timeout", Value.of(kind.attemptTimeout())),
                new Setting("late_answer_limit", Value.of(kind.lateAnswerLimit())),
                new Setting("attempts", Value.of(kind.attemptsAllowed())),
                new Setting("backoff.first", Value.of(kind.retry().first())),
                new Setting("backoff.max", Value.of(kind.retry().max())),
                new Setting("race.after", Value.of(kind.raceAfter())),
                new Setting("deadline", Value.of(kind.deadline())),
                new Setting("park_after_crashes", Value.of(kind.parkAfterCrashes())),
                new Setting("in_flight", Value.of(kind.inFlightMax())))));
    parts.add(doubt(kind.unknownRule()));
    parts.add(proof(kind, proofs));
    return parts;
  }

  private static Part doubt(@Nullable UnknownRule rule) {
    return rule == null
        ? new Part("unknown", "No rule: a doubt ends by evidence or a person.", List.of())
        : Part.of(
            "unknown",
            List.of(
                new Setting("after", Value.of(rule.after())),
                new Setting("verdict", Value.of(rule.verdict())),
                new Setting("then", Value.of(rule.then()))));
  }

  private static Part proof(Kind kind, @Nullable ProofRules proofs) {
    KindContract contract = kind.contract();
    if (contract == null || proofs == null) {
      return new Part("contract", "None: a result may be anything.", List.of());
    }
    return Part.of(
        "contract",
        List.of(
            new Setting("contract", Value.name(contract.title())),
            new Setting("hash", Value.name(contract.hash())),
            new Setting("when_unqualified", Value.of(kind.whenUnqualified())),
            new Setting("unqualified_button", Value.of(proofs.whenPressed())),
            new Setting("breaches", Value.of(proofs.breachesMax())),
            new Setting("valid_for", Value.of(proofs.validity().validFor())),
            new Setting(
                "renew_before",
                Value.of(
                    proofs.validity().renewBefore().isZero()
                        ? null
                        : proofs.validity().renewBefore()))));
  }
}
