package dev.onejob.intent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Fingerprint;
import java.math.BigDecimal;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.IntRange;

/** What holds for every value and every spelling of it. */
class SpellingPropertiesTest {
  private static final JsonLimits WIDE = new JsonLimits(1 << 24, 1_000, 1 << 16, 1 << 20);

  @Provide
  Arbitrary<Object> values() {
    return JsonTexts.values();
  }

  @Property
  void no_spelling_changes_the_fingerprint(
      @ForAll("values") Object value, @ForAll long one, @ForAll long other) throws JsonRefused {
    assertThat(fingerprint(JsonTexts.spelled(value, one)))
        .isEqualTo(fingerprint(JsonTexts.spelled(value, other)));
  }

  @Property
  void any_change_of_a_value_changes_the_fingerprint(
      @ForAll("values") Object value, @ForAll long seed) throws JsonRefused {
    Object changed = JsonTexts.changed(value, new Random(seed));

    assertThat(fingerprint(JsonTexts.spelled(changed, seed)))
        .isNotEqualTo(fingerprint(JsonTexts.spelled(value, seed)));
  }

  @Property
  void the_canonical_form_reads_as_the_same_value(@ForAll("values") Object value, @ForAll long seed)
      throws JsonRefused {
    byte[] canonical = CanonicalJson.write(read(JsonTexts.spelled(value, seed)));

    assertThat(CanonicalJson.write(StrictJson.read(canonical, WIDE))).isEqualTo(canonical);
    assertThat(JsonTrees.plain(StrictJson.read(canonical, WIDE)))
        .isEqualTo(JsonTrees.normal(value));
  }

  @Property
  void reading_gives_the_value_that_was_spelled(@ForAll("values") Object value, @ForAll long seed)
      throws JsonRefused {
    assertThat(JsonTrees.plain(read(JsonTexts.spelled(value, seed))))
        .isEqualTo(JsonTrees.normal(value));
  }

  @Property
  void every_slice_alone_is_the_same_value_and_without_space_around(
      @ForAll("values") Object value, @ForAll long seed) throws JsonRefused {
    byte[] source = JsonTexts.spelled(value, seed).getBytes(UTF_8);

    for (JsonValue node : JsonTrees.all(StrictJson.read(source, WIDE))) {
      byte[] slice = JsonTrees.slice(node, source);
      JsonValue alone = StrictJson.read(slice, WIDE);
      assertThat(alone.start()).isZero();
      assertThat(alone.end()).isEqualTo(slice.length);
      assertThat(CanonicalJson.write(alone)).isEqualTo(CanonicalJson.write(node));
    }
  }

  @Property
  void a_result_without_duplicates_is_kept_byte_for_byte(
      @ForAll("values") Object value, @ForAll long seed) throws JsonRefused {
    String text = JsonTexts.spelled(value, seed);

    assertThat(new String(ResultReading.read(text.getBytes(UTF_8)), UTF_8)).isEqualTo(text.strip());
  }

  @Property
  void numbers_are_equal_exactly_if_their_decimal_values_are(
      @ForAll @BigRange(min = "-1e20", max = "1e20") BigDecimal one,
      @ForAll @BigRange(min = "-1000", max = "1000") BigDecimal step,
      @ForAll @IntRange(min = -30, max = 30) int shift) {
    BigDecimal other = one.add(step.movePointRight(shift));

    assertThat(
            ExactDecimal.canonical(one.toString()).equals(ExactDecimal.canonical(other.toString())))
        .isEqualTo(one.compareTo(other) == 0);
    assertThat(new BigDecimal(ExactDecimal.canonical(one.toString()))).isEqualByComparingTo(one);
  }

  private static JsonValue read(String text) throws JsonRefused {
    return StrictJson.read(text.getBytes(UTF_8), WIDE);
  }

  private static Fingerprint fingerprint(String text) throws JsonRefused {
    return Intent.fingerprint("demo", read(text), null);
  }
}
