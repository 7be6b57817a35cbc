package dev.onejob.server.ui.playground;

import dev.onejob.providers.sandbox.Effects;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What really happened, by the sandbox's own count.
 *
 * @param requests that arrived, by provider
 * @param effects that took place, by provider
 */
record SandboxCount(SortedMap<String, Long> requests, SortedMap<String, Long> effects) {
  static final SandboxCount NOTHING =
      new SandboxCount(Collections.emptySortedMap(), Collections.emptySortedMap());

  /** As the ledger has it. */
  static SandboxCount of(Effects ledger) {
    SortedMap<String, Long> requests = new TreeMap<>();
    SortedMap<String, Long> effects = new TreeMap<>();
    ledger
        .byProvider()
        .forEach(
            (provider, counted) -> {
              requests.put(provider, counted.requests());
              effects.put(provider, counted.effects());
            });
    return new SandboxCount(
        Collections.unmodifiableSortedMap(requests), Collections.unmodifiableSortedMap(effects));
  }

  long allRequests() {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  long allEffects() {
    return effects.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether every request has had the effect that it is going to have. */
  boolean settled(Choice choice) {
    return requests.entrySet().stream()
        .allMatch(
            each ->
                !choice.acts(each.getKey()) || each.getValue().equals(effects.get(each.getKey())));
  }
}
