package dev.onejob.server.config;

import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.WhenPressed;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What a kind says about providers that have not proved themselves; without a contract it means
 * nothing.
 *
 * @param breachesMax so many contract breaches in a row withdraw a pass
 */
public record ProofRules(WhenPressed whenPressed, int breachesMax) {
  private static final int BREACHES = 3;

  static ProofRules of(JsonNode kind) {
    return new ProofRules(
        WhenPressed.of(kind.path("unqualified_button").asString(WhenPressed.REFUSE.word())),
        kind.path("breaches").asInt(BREACHES));
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
