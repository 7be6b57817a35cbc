package dev.onejob.contract;

import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.stream.Collectors;

/**
 * Tells the language of a text: by its script, and among those written in Latin letters by their
 * commonest words. It says nothing about a text that is too short, or that it is not sure of.
 */
public final class Languages {
  /** Fewest letters of a text that anything is said about. */
  static final int LETTERS_MIN = 20;

  /** Most characters that are looked at. */
  private static final int LOOKED_AT = 20_000;

  private static final Map<String, Set<String>> COMMON =
      Map.of(
          "en",
          words(
              "the of and to in is that it for was on are with as his they be at this have from"
                  + " or not by but what all were we when your can there an which their if will"),
          "de",
          words(
              "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als"
                  + " auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie"),
          "fr",
          words(
              "le la les de des et à un une du en est que qui dans pour pas au sur ne se ce il"
                  + " sont plus par avec ont son cette mais ou nous vous elle aux été être"),
          "es",
          words(
              "el la los las de que y en un una ser se no por con su para como estar tener lo"
                  + " del al más pero sus le ya o este sí porque esta entre cuando muy sin sobre"),
          "it",
          words(
              "il la di che e un una in per non sono da del con si le dei nel alla come più ma"
                  + " gli della anche è lo ha i delle questo essere o al dal sul"),
          "pt",
          words(
              "o a os as de que e do da em um uma para com não por mais dos se na no ao como mas"
                  + " foi das tem seu sua ou ser quando muito nos já está também é à pelo"),
          "nl",
          words(
              "de het een en van ik te dat die in je is niet op zijn met voor er maar om hem dan"
                  + " zou of wat mijn ook als bij naar worden aan uit nog door over deze"));

  private Languages() {}

  /** Its two-letter code, such as {@code en}; empty if nothing can be said. */
  public static String of(String text) {
    String looked = text.length() > LOOKED_AT ? text.substring(0, LOOKED_AT) : text;
    Map<UnicodeScript, Integer> scripts = new EnumMap<>(UnicodeScript.class);
    looked
        .codePoints()
        .filter(Character::isLetter)
        .forEach(letter -> scripts.merge(UnicodeScript.of(letter), 1, Integer::sum));
    int letters = scripts.values().stream().mapToInt(Integer::intValue).sum();
    if (letters < LETTERS_MIN) {
      return "";
    }
    UnicodeScript most =
        scripts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    boolean kana =
        scripts.getOrDefault(UnicodeScript.HIRAGANA, 0)
                + scripts.getOrDefault(UnicodeScript.KATAKANA, 0)
            > letters / 10;
    return kana ? "ja" : byScript(most, looked);
  }

  private static String byScript(UnicodeScript script, String text) {
    return switch (script) {
      case LATIN -> byWords(text);
      case CYRILLIC -> text.matches("(?s).*[їєґ].*") ? "uk" : "ru";
      case GREEK -> "el";
      case HEBREW -> "he";
      case ARABIC -> "ar";
      case HAN -> "zh";
      case HIRAGANA, KATAKANA -> "ja";
      case HANGUL -> "ko";
      case THAI -> "th";
      case DEVANAGARI -> "hi";
      default -> "";
    };
  }

  private static String byWords(String text) {
    Map<String, Integer> hits = new HashMap<>();
    StringTokenizer tokens =
        new StringTokenizer(
            text.toLowerCase(Locale.ROOT), " \t\r\n.,;:!?()[]{}\"'’“”«»„-–—/\\|*_#<>=+0123456789");
    while (tokens.hasMoreTokens()) {
      String word = tokens.nextToken();
      COMMON.forEach(
          (language, common) -> {
            if (common.contains(word)) {
              hits.merge(language, 1, Integer::sum);
            }
          });
    }
    return clearlyFirst(hits);
  }

  /** The first, if it has two words at least and half as many again as the second. */
  private static String clearlyFirst(Map<String, Integer> hits) {
    String first = "";
    int most = 1;
    int second = 0;
    for (Map.Entry<String, Integer> each : hits.entrySet()) {
      if (each.getValue() > most) {
        second = first.isEmpty() ? second : most;
        most = each.getValue();
        first = each.getKey();
      } else {
        second = Math.max(second, each.getValue());
      }
    }
    return 2 * most >= 3 * second ? first : "";
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.split(" ")).collect(Collectors.toUnmodifiableSet());
  }
}
