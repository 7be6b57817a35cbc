package dev.onejob.providers.command;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import tools.jackson.databind.JsonNode;

/** The type {@code command}. */
public final class CommandType implements ProviderType {
  private final SettingsSchema schema = SettingsSchema.beside(CommandType.class);

  @Override
  public String name() {
    return "command";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    CommandSettings read = schema.read(settings, CommandSettings.class);
    return new CommandProvider(Launch.of(read, context), new Endings(read));
  }
}
