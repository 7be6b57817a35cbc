package dev.onejob.providers.worker;

import dev.onejob.provider.Provider;
import dev.onejob.provider.PulledProvider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import tools.jackson.databind.JsonNode;

/** The type {@code worker}. */
public final class WorkerType implements ProviderType {
  private final SettingsSchema schema = SettingsSchema.beside(WorkerType.class);

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    return new PulledProvider(schema.read(settings, WorkerSettings.class).leaseTime());
  }
}
