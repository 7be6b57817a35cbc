package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.document.ConfigException;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaygroundKindsTest {
  private static final String TAKEN =
      """
      kinds:
        playground: {route: [playground-a]}
      providers:
        playground-a: {type: sandbox}
      """;

  private static final String FREE =
      """
      kinds:
        own: {route: [sandbox-a]}
      providers:
        sandbox-a: {type: sandbox}
      """;

  @TempDir Path folder;

  private Settings load(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("onejob.yaml"), text);
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(file);
  }

  @Test
  void a_file_that_does_not_ask_for_a_playground_has_none() throws IOException {
    assertThat(load(FREE).kinds()).extracting(Kind::name).containsExactly("own");
    assertThat(load(FREE).ui().playgroundOpen()).isFalse();
    Settings unserved = load(FREE + "ui: {playground: true, enabled: false}\n");
    assertThat(unserved.kinds()).hasSize(1);
    assertThat(unserved.providers()).hasSize(1);
  }

  @Test
  void an_open_playground_adds_kinds_of_which_one_alone_may_race() throws IOException {
    Settings open = load(FREE + "ui: {playground: true}\n");

    assertThat(open.kinds())
        .extracting(Kind::name)
        .containsExactly("own", "playground", "playground-race", "playground-asked");
    assertThat(open.kinds())
        .filteredOn(kind -> kind.effect() == Effect.HARMLESS)
        .extracting(Kind::name)
        .containsExactly("playground-race");
    assertThat(open.providers()).filteredOn(each -> each.type().equals("sandbox")).hasSize(4);
  }

  @Test
  void nothing_in_a_file_has_a_name_that_an_open_playground_needs() throws IOException {
    assertThat(load(TAKEN).kinds()).hasSize(1);
    assertThatThrownBy(() -> load(TAKEN + "ui: {playground: true}\n"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            refused ->
                assertThat(refused.problems())
                    .hasSize(2)
                    .allSatisfy(
                        problem ->
                            assertThat(problem.toString()).contains("ui.playground: false")));
  }
}
