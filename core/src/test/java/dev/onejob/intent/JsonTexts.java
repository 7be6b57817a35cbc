package dev.onejob.intent;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * JSON values as plain Java ones, and many ways to spell them: order of members, white space,
 * escapes and the writing of numbers, all drawn from a seed.
 */
final class JsonTexts {
  private static final String[] SPACES = {"", "", "", " ", "\n", "\t", "\r\n", "  "};
  private static final int DEPTH_MAX = 4;

  private final Random random;
  private final StringBuilder out = new StringBuilder();

  private JsonTexts(long seed) {
    this.random = new Random(seed);
  }

  /** A word that stands for JSON null, which a Java collection does not like to hold. */
  enum Nothing {
    NULL
  }

  /** Values made of {@code Map}, {@code List}, {@code String}, {@code BigDecimal} and so on. */
  static Arbitrary<Object> values() {
    return Arbitraries.longs().map(seed -> value(new Random(seed), 0));
  }

  /** One of the many ways to spell a value; the same seed gives the same spelling. */
  static String spelled(Object value, long seed) {
    JsonTexts texts = new JsonTexts(seed);
    texts.space();
    texts.write(value);
    texts.space();
    return texts.out.toString();
  }

  /** Another value, differing in one leaf or one member. */
  static Object changed(Object value, Random random) {
    return switch (value) {
      case Map<?, ?> map ->
          map.isEmpty() ? Map.of("new", Nothing.NULL) : changedMember(map, random);
      case List<?> list -> list.isEmpty() ? List.of(Nothing.NULL) : changedItem(list, random);
      case String text -> text + "x";
      case BigDecimal number -> number.add(number.ulp());
      case Boolean bool -> !bool;
      default -> "null";
    };
  }

  private static Object changedMember(Map<?, ?> map, Random random) {
    Map<String, Object> copy = new TreeMap<>();
    map.forEach((name, value) -> copy.put((String) name, value));
    String name = List.copyOf(copy.keySet()).get(random.nextInt(copy.size()));
    Object value = copy.remove(name);
    switch (random.nextInt(4)) {
      case 0 -> copy.put(unused(name, copy), value);
      case 1 -> {}
      default -> copy.put(name, changed(value, random));
    }
    return copy;
  }

  private static String unused(String name, Map<String, Object> taken) {
    String other = name + "'";
    while (taken.containsKey(other)) {
      other += "'";
    }
    return other;
  }

  private static Object changedItem(List<?> list, Random random) {
    List<Object> copy = new ArrayList<>(list);
    int at = random.nextInt(copy.size());
    if (random.nextInt(4) == 0) {
      copy.add(copy.get(at));
    } else {
      copy.set(at, changed(copy.get(at), random));
    }
    return copy;
  }

  private static Object value(Random random, int depth) {
    int sorts = depth < DEPTH_MAX ? 7 : 5;
    return switch (random.nextInt(sorts)) {
      case 0 -> Nothing.NULL;
      case 1 -> random.nextBoolean();
      case 2, 3 -> random.nextBoolean() ? text(random) : number(random);
      case 4 -> number(random);
      case 5 -> {
        List<Object> items = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          items.add(value(random, depth + 1));
        }
        yield items;
      }
      default -> {
        Map<String, Object> members = new TreeMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          members.put(text(random), value(random, depth + 1));
        }
        yield members;
      }
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.appendCodePoint(codePoint(random));
    }
    return text.toString();
  }

  private static int codePoint(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 1 + random.nextInt(0x1F);
      case 1 -> "\"\\/u0\u007f".charAt(random.nextInt(6));
      case 2 -> 0x1F300 + random.nextInt(0x300);
      case 3 -> 0xE000 + random.nextInt(0x2000 - 2);
      case 4 -> 0x80 + random.nextInt(0x800);
      default -> 'a' + random.nextInt(26);
    };
  }

  private static BigDecimal number(Random random) {
    BigDecimal unscaled = BigDecimal.valueOf(random.nextLong() >> random.nextInt(64));
    return unscaled.scaleByPowerOfTen(random.nextInt(12) == 0 ? 300 : random.nextInt(20) - 10);
  }

  private void write(Object value) {
    switch (value) {
      case Map<?, ?> map -> members(map);
      case List<?> list -> items(list);
      case String text -> quoted(text);
      case BigDecimal number -> number(number);
      case Boolean bool -> out.append(bool);
      default -> out.append("null");
    }
  }

  private void members(Map<?, ?> map) {
    List<Object> names = new ArrayList<>(map.keySet());
    Collections.shuffle(names, random);
    out.append('{');
    space();
    String comma = "";
    for (Object name : names) {
      out.append(comma);
      space();
      quoted((String) name);
      space();
      out.append(':');
      space();
      write(map.get(name));
      space();
      comma = ",";
    }
    out.append('}');
  }

  private void items(List<?> list) {
    out.append('[');
    space();
    String comma = "";
    for (Object item : list) {
      out.append(comma);
      space();
      write(item);
      space();
      comma = ",";
    }
    out.append(']');
  }

  private void quoted(String text) {
    out.append('"');
    for (int codePoint : text.codePoints().toArray()) {
      boolean must = codePoint < ' ' || codePoint == '"' || codePoint == '\\';
      if (must || random.nextInt(5) == 0) {
        for (char unit : Character.toChars(codePoint)) {
          out.append(escaped(unit));
        }
      } else {
        out.appendCodePoint(codePoint);
      }
    }
    out.append('"');
  }

  private String escaped(char unit) {
    int brief = "\"\\/\b\f\n\r\t".indexOf(unit);
    if (brief >= 0 && random.nextBoolean()) {
      return "\\" + "\"\\/bfnrt".charAt(brief);
    }
    return (random.nextBoolean() ? "\\u%04x" : "\\u%04X").formatted((int) unit);
  }

  private void number(BigDecimal number) {
    if (number.signum() == 0) {
      String[] zeros = {"0", "-0", "0.0", "0e7", "-0.000E-3", "0E+99999999999"};
      out.append(zeros[random.nextInt(zeros.length)]);
      return;
    }
    int shift = random.nextInt(13) - 6;
    String mantissa = number.scaleByPowerOfTen(-shift).stripTrailingZeros().toPlainString();
    if (random.nextInt(3) == 0) {
      mantissa += (mantissa.contains(".") ? "" : ".") + "0".repeat(1 + random.nextInt(3));
    }
    out.append(mantissa);
    if (shift != 0 || random.nextInt(4) == 0) {
      out.append(random.nextBoolean() ? 'e' : 'E');
      out.append(shift < 0 ? "-" : random.nextBoolean() ? "+" : "");
      out.append("0".repeat(random.nextInt(3))).append(Math.abs(shift));
    }
  }

  private void space() {
    out.append(SPACES[random.nextInt(SPACES.length)]);
  }
}
