package dev.onejob.server.qualification;

import dev.onejob.contract.Contract;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.provider.PulledProvider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.qualification.ContractPromise;
import dev.onejob.qualification.Promise;
import dev.onejob.server.config.ProofRules;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.config.Settings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds out from a configuration what a node can qualify, and what its kinds demand. */
public final class Scopes {
  private Scopes() {}

  /**
   * Looks through a configuration.
   *
   * @param config what the engine is told, with the providers that were made
   */
  public static Scope of(
      Settings settings, EngineConfig config, List<ProviderType> types, ProviderContext context) {
    Map<String, Kind> kinds =
        config.kinds().stream().collect(Collectors.toMap(Kind::name, kind -> kind));
    Map<String, Promise> promises = new LinkedHashMap<>();
    Map<String, Probed> probed = probed(settings, config, types, context);
    Map<String, Demand> demands = new LinkedHashMap<>();
    for (Kind kind : config.kinds()) {
      if (kind.contract() instanceof Contract contract) {
        ContractPromise.of(contract).ifPresent(promise -> promises.put(kind.name(), promise));
        ProofRules rules = settings.proofRules().get(kind.name());
        if (rules != null) {
          demands.put(kind.name(), rules.demand(bindings(kind, contract, probed)));
        }
      }
    }
    return new Scope(kinds, promises, probed, demands);
  }

  private static Map<String, Binding> bindings(
      Kind kind, Contract contract, Map<String, Probed> probed) {
    Map<String, Binding> bindings = new LinkedHashMap<>();
    for (String provider : kind.route()) {
      Probed known = probed.get(provider);
      if (known != null) {
        bindings.put(provider, Digest.binding(contract.hash(), known));
      }
    }
    return bindings;
  }

  private static Map<String, Probed> probed(
      Settings settings, EngineConfig config, List<ProviderType> types, ProviderContext context) {
    Map<String, Duration> timeouts =
        config.kinds().stream().collect(Collectors.toMap(Kind::name, Kind::attemptTimeout));
    Map<String, Probed> probed = new LinkedHashMap<>();
    for (ProviderSettings each : settings.providers()) {
      ProviderSlot slot = config.providers().get(each.name());
      if (slot != null && !(slot.provider() instanceof PulledProvider)) {
        types.stream()
            .filter(type -> type.name().equals(each.type()))
            .findFirst()
            .ifPresent(
                type ->
                    probed.put(
                        each.name(),
                        new Probed(
                            each.name(),
                            type,
                            slot.provider(),
                            each.own(),
                            context,
                            timeouts,
                            Digest.ofSettings(type, each.own()),
                            slot.prices())));
      }
    }
    return probed;
  }
}
