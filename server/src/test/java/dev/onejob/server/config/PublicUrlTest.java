package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where providers are told to call back. */
class PublicUrlTest {
  @TempDir Path folder;

  private Settings load(String server) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server: {%s}
            kinds:
              demo: {route: [sandbox-a]}
            providers:
              sandbox-a: {type: sandbox}
            """
                .formatted(server));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file);
  }

  @Test
  void there_is_none_unless_it_is_told() throws IOException {
    assertThat(load("port: 0").server().publicUrl()).isNull();
  }

  @Test
  void slashes_at_its_end_make_no_difference_and_a_path_is_kept() throws IOException {
    assertThat(load("public_url: 'https://jobs.example.com:8443/onejob/'").server().publicUrl())
        .hasToString("https://jobs.example.com:8443/onejob");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jobs.example.com            | server.public_url: expected an address such as
          ftp://jobs.example.com      | server.public_url: expected an address such as
          https://jobs.example.com/?a | server.public_url: expected an address without a query
          https://u:p@jobs.example.com | server.public_url: expected an address without user
          https://jobs example        | server.public_url: not an address
          """)
  void what_is_no_such_address_is_refused_at_the_start_by_name_and_line(
      String url, String complaint) {
    assertThatThrownBy(() -> load("public_url: '" + url + "'"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("onejob.yaml:1: server.")
        .hasMessageContaining(complaint);
  }
}
