package dev.onejob.providers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Provider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** The table of types and capabilities in the docs says what the adapters declare. */
final class CapabilitiesDocumentTest {
  /** A title, and what there is to be declared. */
  private static final int COLUMNS = 1 + Capabilities.class.getRecordComponents().length;

  private static final String TITLE = "## What each type declares";

  /**
   * A row of the table.
   *
   * @param title its first cell
   * @param settings the least that make a provider of that type
   */
  private record Row(String title, String type, String settings) {}

  /** Every type has at least one row; add yours here and to docs/providers.md. */
  private static final List<Row> ROWS =
      List.of(
          new Row(
              "`anthropic-messages`",
              "anthropic-messages",
              """
              {"base_url": "https://api.example.com/v1", "model": "m", "prompt": "{{/text}}",
               "parameters": {"max_tokens": 1000}}
              """),
          new Row("`command`", "command", "{\"command\": [\"true\"]}"),
          new Row(
              "`http-async`, `fal`",
              "http-async",
              "{\"profile\": \"fal\", \"model\": \"owner/name\"}"),
          new Row(
              "`http-async`, `replicate`",
              "http-async",
              "{\"profile\": \"replicate\", \"model\": \"owner/name\"}"),
          new Row(
              "`http-keyed`",
              "http-keyed",
              """
              {"base_url": "https://api.example.com", "path": "/acts", "json": {}, "key_kept": "6h"}
              """),
          new Row(
              "`http-keyed`, `stripe`",
              "http-keyed",
              """
              {"profile": "stripe", "base_url": "https://api.stripe.com", "form": {},
               "path": "/v1/payment_intents", "look_up": "/v1/payment_intents/{id}"}
              """),
          new Row(
              "`openai-chat`",
              "openai-chat",
              """
              {"base_url": "https://api.example.com/v1", "model": "m", "prompt": "{{/text}}"}
              """),
          new Row(
              "`openai-responses`",
              "openai-responses",
              """
              {"base_url": "https://api.example.com/v1", "model": "m", "prompt": "{{/text}}"}
              """),
          new Row("`sandbox`", "sandbox", "{}"),
          new Row("`worker`", "worker", "{}"));

  static List<Row> rows() {
    return ROWS;
  }

  private static Capabilities declared(Row row) throws Exception {
    ProviderContext context =
        new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused"));
    ProviderType type = ProviderTypes.named(row.type()).orElseThrow();
    try (Provider provider =
        type.create("p", JsonMapper.shared().readTree(row.settings()), context)) {
      return provider.capabilities();
    }
  }

  private static List<String> cells(Row row) throws Exception {
    Capabilities c = declared(row);
    List<String> cells = new ArrayList<>(List.of(row.title()));
    for (Enum<?> each :
        List.of(
            c.submitDeduplication(),
            c.referenceSurvival(),
            c.statusProbe(),
            c.negativeAnswer(),
            c.cancel(),
            c.terminalState(),
            c.hiddenReexecution(),
            c.billingOnCancel())) {
      cells.add(each.name().toLowerCase(Locale.ROOT));
    }
    cells.add(length(c.lifetimeBound()));
    cells.add(length(c.evidenceRetention()));
    return cells;
  }

  private static String length(@Nullable Duration length) {
    return length == null ? "–" : length.toHours() + "h";
  }

  private static Map<String, List<String>> table() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "providers.md"));
    String section = page.substring(page.indexOf(TITLE) + TITLE.length()).split("\n## ", 2)[0];
    return section
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)))
        .filter(cells -> cells.size() == COLUMNS)
        .collect(Collectors.toMap(List::getFirst, cells -> cells));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void the_page_says_what_each_type_declares(Row row) throws Exception {
    assertThat(table()).containsKey(row.title());
    assertThat(table().get(row.title())).containsExactlyElementsOf(cells(row));
  }

  @Test
  void the_page_has_a_row_for_every_type_and_no_other() throws IOException {
    assertThat(ROWS.stream().map(Row::type).distinct().sorted())
        .containsExactlyElementsOf(ProviderTypes.ALL.stream().map(ProviderType::name).toList());
    assertThat(table().keySet()).hasSameElementsAs(ROWS.stream().map(Row::title).toList());
  }
}
