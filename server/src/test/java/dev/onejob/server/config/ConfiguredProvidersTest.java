package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
