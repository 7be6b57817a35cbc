package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.webhooks.WebhookSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where webhooks may reach. */
class WebhookSettingsTest {
  @TempDir Path folder;

  private WebhookSettings load(String webhooks) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            webhooks: {%s}
            kinds:
              demo: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
            """
                .formatted(webhooks));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file).webhooks();
  }

  private static boolean reaches(WebhookSettings settings, String address) throws IOException {
    return settings.policy().allows(InetAddress.getByName(address));
  }

  @Test
  void nothing_but_public_addresses_over_https_unless_it_is_said() throws IOException {
    WebhookSettings usual = load("");
    assertThat(usual).isEqualTo(WebhookSettings.USUAL);
    assertThat(reaches(usual, "127.0.0.1")).isFalse();
    assertThat(usual.scheme()).isEqualTo(WebhookSettings.Scheme.HTTPS);
  }

  @Test
  void what_is_said_is_heeded_and_no_more() throws IOException {
    WebhookSettings some =
        load("allowed_networks: ['10.1.0.0/16'], allow_http: true, timeout: 5s, keep_for: 7d");
    assertThat(reaches(some, "10.1.2.3")).isTrue();
    assertThat(reaches(some, "10.2.2.3")).isFalse();
    assertThat(some.scheme()).isEqualTo(WebhookSettings.Scheme.HTTP_TOO);
    assertThat(some.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(some.kept()).isEqualTo(Duration.ofDays(7));
    WebhookSettings inside = load("allow_private_addresses: true");
    assertThat(reaches(inside, "10.2.2.3")).isTrue();
    assertThat(reaches(inside, "169.254.169.254")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          timeout: 31s                    | webhooks.timeout: from 1s to 30s
          timeout: 999ms                  | webhooks.timeout: from 1s to 30s
          keep_for: 59m                   | webhooks.keep_for: at least 1h
          allowed_networks: [localhost]   | webhooks.allowed_networks.0
          allow_all: true                 | webhooks.allow_all: unknown setting
          """)
  void what_cannot_be_is_refused_at_the_start_by_name_and_line(String setting, String complaint) {
    assertThatThrownBy(() -> load(setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: ")
        .hasMessageContaining(complaint);
  }
}
