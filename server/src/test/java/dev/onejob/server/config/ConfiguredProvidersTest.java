package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.provider.PulledProvider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredProvidersTest {
  @TempDir Path folder;

  @Test
  void names_the_line_of_a_setting_that_only_shows_to_be_wrong_when_it_is_used()
      throws IOException {
    Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds: {demo: {route: [c]}}
        providers:
          c:
            type: chat
            model: huge
        """);
    List<ProviderType> types = List.of(TestTypes.CHAT);
    Settings settings =
        new SettingsLoader(types, name -> null, folder).load(Path.of("onejob.yaml"));
    ProviderContext context =
        new ProviderContext(name -> null, folder, () -> URI.create("http://127.0.0.1"));

    assertThatThrownBy(() -> ConfiguredProviders.make(settings, types, context).close())
        .isInstanceOf(ConfigException.class)
        .hasMessage("onejob.yaml:5: providers.c.model: there is no model huge");
  }

  @Test
  void work_that_is_fetched_has_a_lease_within_bounds() throws IOException {
    assertThat(lease("")).isEqualTo(Duration.ofSeconds(30));
    assertThat(lease("lease: 2s")).isEqualTo(Duration.ofSeconds(2));
    assertThat(lease("lease: 1h")).isEqualTo(Duration.ofHours(1));
    for (String lease : List.of("1s", "0s", "61m", "999999h")) {
      assertThatThrownBy(() -> lease("lease: " + lease))
          .isInstanceOf(ConfigException.class)
          .hasMessage("onejob.yaml:5: providers.w.lease: expected from 2s to 1h");
    }
    assertThatThrownBy(() -> lease("lease: 500ms"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a duration such as 30s, 5m or 1h, got \"500ms\"");
  }

  private Duration lease(String setting) throws IOException {
    Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds: {demo: {route: [w]}}
        providers:
          w:
            type: worker
        """
            + (setting.isEmpty() ? "" : "    " + setting + "\n"));
    Settings settings =
        new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(Path.of("onejob.yaml"));
    ProviderContext context =
        new ProviderContext(name -> null, folder, () -> URI.create("http://127.0.0.1"));
    try (ConfiguredProviders made =
        ConfiguredProviders.make(settings, ProviderTypes.ALL, context)) {
      return ((PulledProvider) made.engineConfig(settings).providers().get("w").provider()).lease();
    }
  }
}
