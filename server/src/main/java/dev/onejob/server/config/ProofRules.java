package dev.onejob.server.config;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.WhenPressed;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What a kind says about the proofs of its providers; without a contract it means nothing.
 *
 * @param whenPressed whether the button may start an attempt without a proof
 * @param breachesMax so many contract breaches in a row withdraw a pass
 * @param validity of a pass
 */
public record ProofRules(WhenPressed whenPressed, int breachesMax, Validity validity) {
  private static final int BREACHES = 3;

  /** A look for passes that expire is made once a minute. */
  private static final Duration VALID_FOR_MIN = Duration.ofMinutes(10);

  private static final Duration VALID_FOR_MAX = Duration.ofDays(3_650);

  /** With passes that hold as long as usual. */
  public ProofRules(WhenPressed whenPressed, int breachesMax) {
    this(whenPressed, breachesMax, Validity.USUAL);
  }

  static ProofRules of(String name, JsonNode kind, YamlDocument yaml, Problems problems) {
    return new ProofRules(
        WhenPressed.of(kind.path("unqualified_button").asString(WhenPressed.REFUSE.word())),
        kind.path("breaches").asInt(BREACHES),
        validity(Pointers.child("/kinds", name), kind, yaml, problems));
  }

  private static Validity validity(String at, JsonNode kind, YamlDocument yaml, Problems problems) {
    Duration validFor =
        DurationText.parse(kind.path("valid_for").asString("")).orElse(Validity.USUAL.validFor());
    if (validFor.compareTo(VALID_FOR_MIN) < 0 || validFor.compareTo(VALID_FOR_MAX) > 0) {
      problems.add(yaml.problem(at + "/valid_for", "expected 10m to 3650d"));
    }
    String renewal = kind.path("renew_before").asString("");
    if (renewal.isEmpty()) {
      return Validity.of(validFor);
    }
    Duration renewBefore = DurationText.parse(renewal).orElse(Duration.ZERO); // never
    if (renewBefore.compareTo(validFor) >= 0) {
      problems.add(
          yaml.problem(
              at + "/renew_before", "expected less than valid_for, which is the whole time"));
    }
    return new Validity(validFor, renewBefore);
  }

  /**
   * What the engine is told of a kind with a contract.
   *
   * @param bindings by provider, what a pass must be bound to
   */
  public Demand demand(Map<String, Binding> bindings) {
    return new Demand(bindings, whenPressed, breachesMax);
  }
}
