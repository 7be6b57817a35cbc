package dev.onejob.server.config;

import dev.onejob.document.ConfigException;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.EngineConfig.ProviderSlot;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The providers of a configuration, made and ready; closing lets go of all of them. */
public final class ConfiguredProviders implements AutoCloseable {
  private final Map<String, ProviderSlot> slots = new LinkedHashMap<>();

  private ConfiguredProviders() {}

  /**
   * Makes them all.
   *
   * @throws ConfigException naming the place, if a setting cannot be used after all
   */
  public static ConfiguredProviders make(
      Settings settings, List<ProviderType> types, ProviderContext context) {
    ConfiguredProviders made = new ConfiguredProviders();
    Problems problems = new Problems();
    for (ProviderSettings each : settings.providers()) {
      try {
        made.slots.put(
            each.name(),
            new ProviderSlot(
                create(each, types, context),
                each.inFlightMax(),
                each.probes(),
                each.circuit(),
                each.prices()));
      } catch (IllegalArgumentException e) {
        problems.addAll(complaint(settings, each, e).problems());
      }
    }
    try {
      problems.throwIfAny();
      return made;
    } catch (ConfigException e) {
      made.close();
      throw e;
    }
  }

  private static Provider create(
      ProviderSettings provider, List<ProviderType> types, ProviderContext context) {
    return types.stream()
        .filter(type -> type.name().equals(provider.type()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no type is named " + provider.type()))
        .create(provider.name(), provider.own(), context);
  }

  private static ConfigException complaint(
      Settings settings, ProviderSettings provider, IllegalArgumentException e) {
    String at = Pointers.child("/providers", provider.name());
    String inner = e instanceof InvalidSetting invalid ? invalid.pointer() : "";
    String message = String.valueOf(e.getMessage());
    String prefix = inner + ": ";
    return settings
        .places()
        .wrong(
            at + inner, message.startsWith(prefix) ? message.substring(prefix.length()) : message);
  }

  /**
   * What the engine is told, but for the demands of kinds with a contract; providers that call back
   * are to be shown the door besides.
   */
  public EngineConfig engineConfig(Settings settings) {
    ServerSettings server = settings.server();
    return new EngineConfig(
        server.node(),
        settings.kinds(),
        slots,
        server.slots(),
        server.pollInterval(),
        server.sweepInterval(),
        server.holding(),
        settings.retention(),
        Map.of(),
        /* callbackDoor= */ null);
  }

  @Override
  public void close() {
    slots.values().forEach(slot -> slot.provider().close());
  }
}
