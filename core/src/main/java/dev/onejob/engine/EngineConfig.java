package dev.onejob.engine;

import dev.onejob.domain.Kind;
import dev.onejob.provider.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a node is told when it starts.
 *
 * @param node its name, for people; need not be unique
 * @param kinds the kinds it runs
 * @param providers by name; every provider on a route must be among them
 * @param slots attempts at once, all kinds together
 * @param pollInterval how often it looks for due jobs when nothing wakes it
 * @param sweepInterval how often it looks for lapsed leases and deadlines
 */
public record EngineConfig(
    String node,
    List<Kind> kinds,
    Map<String, ProviderSlot> providers,
    int slots,
    Duration pollInterval,
    Duration sweepInterval) {

  /** Longest name of a node, in characters; the attempts keep it. */
  private static final int NODE_CHARS_MAX = 128;

  /**
   * Checks the settings, and that every provider on a route is known.
   *
   * @throws IllegalArgumentException naming the setting, or the kind and the provider
   */
  public EngineConfig {
    if (node.isEmpty() || node.length() > NODE_CHARS_MAX) {
      throw new IllegalArgumentException("node: 1 to " + NODE_CHARS_MAX + " characters");
    }
    if (!pollInterval.isPositive() || !sweepInterval.isPositive()) {
      throw new IllegalArgumentException("poll and sweep intervals must be positive");
    }
    kinds = List.copyOf(kinds);
    providers = Map.copyOf(providers);
    for (Kind kind : kinds) {
      for (String provider : kind.route()) {
        if (!providers.containsKey(provider)) {
          throw new IllegalArgumentException(
              "kind " + kind.name() + ": route: no provider is named " + provider);
        }
      }
    }
    if (slots < 1) {
      throw new IllegalArgumentException("slots: at least 1");
    }
  }

  /** The same with other providers, under the same names. */
  public EngineConfig withProviders(Map<String, ProviderSlot> others) {
    return new EngineConfig(node, kinds, others, slots, pollInterval, sweepInterval);
  }

  /**
   * A provider and how much of it may be used.
   *
   * @param inFlightMax calls at once on one node
   */
  public record ProviderSlot(Provider provider, int inFlightMax) {}
}
