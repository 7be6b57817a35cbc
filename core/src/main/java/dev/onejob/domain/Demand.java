package dev.onejob.domain;

import java.util.Map;

/**
 * What a kind with a contract demands of its providers, as a node is configured.
 *
 * @param bindings by provider, what a pass must be bound to; a provider that is not among them is
 *     not configured on the node
 * @param whenPressed whether the button may start an attempt at a provider without a pass
 * @param breachesMax so many contract breaches in a row withdraw a pass
 */
public record Demand(Map<String, Binding> bindings, WhenPressed whenPressed, int breachesMax) {
  public Demand {
    bindings = Map.copyOf(bindings);
    if (breachesMax < 1) {
      throw new IllegalArgumentException("breaches: at least 1");
    }
  }
}
