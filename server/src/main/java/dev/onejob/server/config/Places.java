package dev.onejob.server.config;

import dev.onejob.document.ConfigException;
import dev.onejob.document.YamlDocument;
import java.util.List;

/** Where settings stand in their file. */
public final class Places {
  private final YamlDocument yaml;

  Places(YamlDocument yaml) {
    this.yaml = yaml;
  }

  /** A complaint about one setting. */
  public ConfigException wrong(String pointer, String message) {
    return new ConfigException(List.of(yaml.problem(pointer, message)));
  }
}
