package dev.onejob.server.qualification;

import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Prices;
import dev.onejob.domain.QualificationRun.Subject;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node can qualify: its kinds with contracts, and its providers that can be asked.
 *
 * @param promises the contracts, by kind
 * @param providers by name; those that are called, not those that fetch their work
 * @param demands what a start compares a pass with, by kind, where the engine is told of it
 */
public record Scope(
    Map<String, Kind> kinds,
    Map<String, Promise> promises,
    Map<String, Probed> providers,
    Map<String, Demand> demands) {
  /** Copies the maps. */
  public Scope {
    kinds = Map.copyOf(kinds);
    promises = Map.copyOf(promises);
    providers = Map.copyOf(providers);
    demands = Map.copyOf(demands);
  }

  /** What the engine is told besides: the kind of the questions and who asks them. */
  public EngineConfig over(EngineConfig config) {
    List<Kind> more = new ArrayList<>(config.kinds());
    more.add(Probes.kind());
    Map<String, ProviderSlot> slots = new LinkedHashMap<>(config.providers());
    slots.put(Probes.KIND, Probes.slot(new ProbedProvider(providers)));
    Map<String, Demand> all = new LinkedHashMap<>(config.demands());
    all.putAll(demands);
    return new EngineConfig(
        config.node(),
        more,
        slots,
        config.slots(),
        config.pollInterval(),
        config.sweepInterval(),
        config.holding(),
        config.retention(),
        all,
        config.callbackDoor());
  }

  /** Why nothing can be proved of a provider for a kind; empty if it can. */
  public Optional<String> unusable(String kind, String provider) {
    if (!kinds.containsKey(kind)) {
      return Optional.of("no kind is named " + kind);
    }
    if (!promises.containsKey(kind)) {
      return Optional.of("the kind " + kind + " has no contract that could be proved");
    }
    return providers.containsKey(provider)
        ? Optional.empty()
        : Optional.of(
            "the provider "
                + provider
                + " is not configured, or fetches its work and is not asked");
  }

  /** The providers that were named, or the route of the kind. */
  List<String> chosen(String kind, List<String> named) {
    Kind known = kinds.get(kind);
    return named.isEmpty() && known != null ? known.route() : named;
  }

  Promise promise(String kind) {
    return found(promises, kind);
  }

  Candidate candidate(String provider) {
    return found(providers, provider).candidate();
  }

  /** What a provider asks; null: nobody has written it down. */
  @Nullable Prices prices(String provider) {
    return found(providers, provider).prices();
  }

  /** The first provider on a kind's route. */
  String first(String kind) {
    return found(kinds, kind).route().getFirst();
  }

  /** What a pass is about and bound to. */
  public Subject subject(String kind, String provider) {
    Binding binding = binding(kind, provider);
    return new Subject(kind, provider, binding.contractHash(), binding.digest());
  }

  /** Everything that this node can carry on a run about. */
  List<Subject> subjects() {
    List<Subject> subjects = new ArrayList<>();
    for (String kind : kinds.keySet()) {
      for (String provider : providers.keySet()) {
        if (unusable(kind, provider).isEmpty()) {
          subjects.add(subject(kind, provider));
        }
      }
    }
    return subjects;
  }

  /** All that a pass is bound to. */
  public Binding binding(String kind, String provider) {
    Demand demand = demands.get(kind);
    Binding demanded = demand == null ? null : demand.bindings().get(provider);
    return demanded != null
        ? demanded
        : Digest.binding(promise(kind).hash(), found(providers, provider));
  }

  private static <T> T found(Map<String, T> all, String name) {
    T found = all.get(name);
    if (found == null) {
      throw new IllegalArgumentException("nothing is named " + name);
    }
    return found;
  }
}
