package dev.onejob.intent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.intent.JsonRefused.Reason;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Our reader and an independent one take exactly the same texts. */
class JsonGrammarPropertiesTest {
  private static final Pattern PAIR =
      Pattern.compile("(?i)\\\\ud[89ab][0-9a-f]{2}\\\\ud[c-f][0-9a-f]{2}");
  private static final Pattern HALF = Pattern.compile("(?i)\\\\ud[89a-f]");
  private static final JsonFactory JACKSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNumberLength(10_000).build())
          .build();

  @Provide
  Arbitrary<String> almost() {
    Arbitrary<String> words =
        Arbitraries.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"a\"",
            "\"b\":",
            "\\",
            "\\u00",
            "\\n",
            "0",
            "1",
            "-",
            "+",
            ".",
            "e",
            "E5",
            "12.50",
            "true",
            "false",
            "null",
            "nul",
            "NaN",
            " ",
            "\n",
            "\t",
            "\u0001",
            "é",
            "\u00a0",
            "😀",
            "/",
            "{}",
            "[]",
            "[1,2]",
            "{\"c\":null}");
    return words.list().ofMaxSize(9).map(list -> String.join("", list));
  }

  @Provide
  Arbitrary<String> mutated() {
    return Arbitraries.longs()
        .flatMap(seed -> JsonTexts.values().map(value -> mutate(value, seed)));
  }

  @Property(tries = 20_000)
  void takes_the_texts_that_jackson_takes(@ForAll("almost") String text) {
    assertThat(weTake(text)).as(text).isEqualTo(jacksonTakes(text));
  }

  @Property(tries = 3_000)
  void takes_the_changed_texts_that_jackson_takes(@ForAll("mutated") String text) {
    Assume.that(!hasHalfPair(text));
    assertThat(weTake(text)).as(text).isEqualTo(jacksonTakes(text));
  }

  @Property(tries = 2_000)
  void refuses_or_reads_any_bytes_without_another_exception(@ForAll byte[] bytes) {
    try {
      assertThat(StrictJson.read(bytes, JsonLimits.INPUT).end()).isLessThanOrEqualTo(bytes.length);
    } catch (JsonRefused refused) {
      assertThat(refused.offset()).isBetween(0, bytes.length);
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static String mutate(Object value, long seed) {
    StringBuilder text = new StringBuilder(JsonTexts.spelled(value, seed));
    int at = Math.floorMod((int) (seed >>> 8), text.length());
    switch (Math.floorMod(seed, 3)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.insert(at, "0\",:]}e-\\ x".charAt(Math.floorMod((int) (seed >>> 40), 11)));
      default -> text.setCharAt(at, "0\",:]}e-\\ x".charAt(Math.floorMod((int) (seed >>> 40), 11)));
    }
    return new String(text.toString().getBytes(UTF_8), UTF_8);
  }

  /** Jackson takes an escaped half of a surrogate pair in a value and not in a name. */
  private static boolean hasHalfPair(String text) {
    return HALF.matcher(PAIR.matcher(text).replaceAll("")).find();
  }

  /** Jackson knows nothing of our further wishes, and takes what only they refuse. */
  private static boolean weTake(String text) {
    try {
      StrictJson.readResult(text.getBytes(UTF_8), JsonLimits.BODY);
      return true;
    } catch (JsonRefused refused) {
      assertThat(refused.reason()).isIn(Reason.MALFORMED, Reason.NUL_CHARACTER);
      return false;
    }
  }

  private static boolean jacksonTakes(String text) {
    int values = 0;
    try (JsonParser parser =
        JACKSON.createParser(ObjectReadContext.empty(), text.getBytes(UTF_8))) {
      while (parser.nextToken() != null) {
        parser.finishToken();
        if (parser.streamReadContext().inRoot()) {
          values++;
        }
      }
      return values == 1;
    } catch (JacksonException e) {
      return false;
    }
  }
}
