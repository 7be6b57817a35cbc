package dev.onejob.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for every JSON value: its spelling never matters, its content always does. */
class IntentPropertiesTest {
  /** A number as digits and a power of ten. */
  record Decimal(long digits, int power) {}

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 6)) {
      case 0 -> random.nextBoolean();
      case 1 -> "null";
      case 2 -> new Decimal(random.nextInt(19_999) - 9_999, 3);
      case 3 -> text(random);
      case 4 ->
          IntStream.range(0, random.nextInt(4)).mapToObj(i -> value(random, depth - 1)).toList();
      default -> object(random, depth);
    };
  }

  private static String text(Random random) {
    return random
        .ints(random.nextInt(8), 1, 0x1_1000)
        .filter(point -> point < 0xD800 || point > 0xDFFF)
        .collect(
            () -> new StringBuilder("t"), StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Object object(Random random, int depth) {
    Map<Object, Object> members = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.put(text(random), value(random, depth - 1));
    }
    return members;
  }

  private static Object value(long seed) {
    return value(new Random(seed), 4);
  }

  @Property(tries = 1_000)
  void spelling_never_changes_the_fingerprint(@ForAll long seed, @ForAll long spelling) {
    String plain = spell(value(seed), null);
    String other = spell(value(seed), new Random(spelling));

    assertThat(Intent.fingerprint("k", IntentTest.json(other), null))
        .as("%s and %s", plain, other)
        .isEqualTo(Intent.fingerprint("k", IntentTest.json(plain), null));
  }

  @Property(tries = 1_000)
  void the_canonical_form_is_its_own_canonical_form(@ForAll long seed) {
    String canonical = IntentTest.canonical(spell(value(seed), null));

    assertThat(IntentTest.canonical(canonical)).isEqualTo(canonical);
  }

  @Property(tries = 1_000)
  void different_values_have_different_fingerprints(@ForAll long one, @ForAll long other) {
    assertThat(
            Intent.fingerprint("k", IntentTest.json(spell(value(one), null)), null)
                .equals(Intent.fingerprint("k", IntentTest.json(spell(value(other), null)), null)))
        .isEqualTo(value(one).equals(value(other)));
  }

  /** Spells a value; with a source of chance in one of its many spellings. */
  private static String spell(Object value, Random random) {
    return switch (value) {
      case Boolean bool -> bool.toString();
      case Decimal number -> number(number, random);
      case String text -> text.equals("null") ? "null" : string(text, random);
      case List<?> list ->
          list.stream()
              .map(element -> spell(element, random))
              .collect(Collectors.joining("," + space(random), "[" + space(random), "]"));
      case Map<?, ?> map ->
          shuffled(map, random).entrySet().stream()
              .map(
                  member ->
                      string(member.getKey().toString(), random)
                          + space(random)
                          + ":"
                          + spell(member.getValue(), random))
              .collect(Collectors.joining(space(random) + ",", "{", space(random) + "}"));
      default -> throw new AssertionError(value);
    };
  }

  private static String space(Random random) {
    return random == null ? "" : List.of("", " ", "\n", "\t\r ").get(random.nextInt(4));
  }

  private static Map<?, ?> shuffled(Map<?, ?> map, Random random) {
    if (random == null) {
      return map;
    }
    List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
    Collections.shuffle(entries, random);
    Map<Object, Object> shuffled = new LinkedHashMap<>();
    entries.forEach(entry -> shuffled.put(entry.getKey(), entry.getValue()));
    return shuffled;
  }

  private static String number(Decimal number, Random random) {
    String plain = number.digits() + "e" + number.power();
    return switch (random == null ? 0 : random.nextInt(4)) {
      case 1 -> number.digits() + "000";
      case 2 -> number.digits() + ".00E+" + number.power();
      case 3 -> number.digits() + "00e" + (number.power() - 2);
      default -> plain;
    };
  }

  private static String string(String text, Random random) {
    StringBuilder spelled = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      boolean mustEscape = unit < ' ' || unit == '"' || unit == '\\';
      if (mustEscape || Character.isSurrogate(unit) || (random != null && random.nextBoolean())) {
        spelled.append("\\u%04x".formatted((int) unit));
      } else {
        spelled.append(unit);
      }
    }
    return spelled.append('"').toString();
  }
}
