package dev.onejob.providers.sandbox;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.http.Address;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The type {@code sandbox}. */
public final class SandboxType implements ProviderType {
  private final SettingsSchema schema = SettingsSchema.beside(SandboxType.class);

  @Override
  public String name() {
    return "sandbox";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    SandboxSettings read = schema.read(settings, SandboxSettings.class);
    String plays = read.providerName() == null ? providerName : read.providerName();
    return new SandboxProvider(plays, address(read.url(), context), read.capabilities());
  }

  private static Supplier<URI> address(@Nullable String url, ProviderContext context) {
    if (url == null) {
      return context.sandbox();
    }
    URI fixed = Address.of(url, "/url");
    return () -> fixed;
  }
}
