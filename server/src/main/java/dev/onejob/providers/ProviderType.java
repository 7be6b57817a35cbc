package dev.onejob.providers;

import dev.onejob.provider.Provider;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A sort of provider that the configuration can name. Found by {@link java.util.ServiceLoader}, so
 * that an adapter can be added or left out without touching anything else.
 */
public interface ProviderType {
  /** The word in the configuration's {@code type}. */
  String name();

  /**
   * The JSON Schema (2020-12) of one provider's settings, without the common members {@code type}
   * and {@code in_flight}. A fresh copy.
   */
  JsonNode settingsSchema();

  /**
   * Makes a provider.
   *
   * @param providerName its name in the configuration
   * @param settings as {@link #settingsSchema} describes them
   * @throws InvalidSetting if a setting cannot be used, also where no schema can tell: a missing
   *     file, an unset variable
   */
  Provider create(String providerName, JsonNode settings, ProviderContext context);

  /**
   * Raised when what its providers send, or how they read answers, changes: a qualification is for
   * the version that it was made with.
   */
  default String version() {
    return "1";
  }

  /** How providers of this type can be asked otherwise than in production; empty: not at all. */
  default Optional<Twisting> twisting() {
    return Optional.empty();
  }
}
