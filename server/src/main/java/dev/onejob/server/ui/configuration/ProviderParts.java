package dev.onejob.server.ui.configuration;

import dev.onejob.domain.Prices;
import dev.onejob.engine.ProbePolicy;
import dev.onejob.providers.ProviderType;
import dev.onejob.server.config.ProviderSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of a provider: those that all have, and those of its type. */
final class ProviderParts {
  private ProviderParts() {}

  /**
   * Of one provider.
   *
   * @param type of the provider, whose schema says what may be shown; null: it is not known here,
   *     and nothing of its own is shown
   */
  static List<Part> of(ProviderSettings provider, @Nullable ProviderType type) {
    ProbePolicy probes = provider.probes();
    return List.of(
        Part.of(
            "providers." + provider.name(),
            List.of(
                new Setting("type", Value.name(provider.type())),
                new Setting("in_flight", Value.of(provider.inFlightMax())),
                new Setting("circuit.failures", Value.of(provider.circuit().failures())),
                new Setting("circuit.pause", Value.of(provider.circuit().pause())),
                new Setting("circuit.pause_max", Value.of(provider.circuit().pauseMax())),
                new Setting("probe.first", Value.of(probes.first())),
                new Setting("probe.max", Value.of(probes.max())),
                new Setting("probe.timeout", Value.of(probes.timeout())),
                new Setting("probe.longest", Value.of(probes.longest())),
                new Setting("probe.in_flight", Value.of(probes.inFlightMax())))),
        price(provider.prices()),
        new Part(
            "of the type " + provider.type(),
            "As written; what is left out is as the documentation of the type says. Texts that are"
                + " no name, file, address or the like are not shown, since a secret may stand in"
                + " them.",
            type == null ? List.of() : OwnSettings.of(type.settingsSchema(), provider.own())));
  }

  private static Part price(@Nullable Prices prices) {
    if (prices == null) {
      return new Part("price", "Not known.", List.of());
    }
    List<Setting> settings = new ArrayList<>();
    settings.add(new Setting("currency", Value.name(prices.currency())));
    add(settings, "", prices.usual());
    for (Map.Entry<String, Prices.Rate> each : new TreeMap<>(prices.models()).entrySet()) {
      add(settings, "models." + each.getKey() + ".", each.getValue());
    }
    return Part.of("price", settings);
  }

  private static void add(List<Setting> settings, String before, Prices.Rate rate) {
    settings.add(new Setting(before + "per_call", Value.of(rate.perCall())));
    settings.add(new Setting(before + "input_per_million", Value.of(rate.inputPerMillion())));
    settings.add(new Setting(before + "output_per_million", Value.of(rate.outputPerMillion())));
  }
}
