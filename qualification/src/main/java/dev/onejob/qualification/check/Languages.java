package dev.onejob.qualification.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells languages of the Latin script apart by their commonest words, and the others by their
 * script. Says nothing of short texts, and nothing where two are close.
 */
final class Languages {
  private static final int LETTERS_MIN = 40;
  private static final int WORDS_MIN = 3;

  /** How far ahead the commonest has to be. */
  private static final int LEAD = 2;

  private static final Pattern GAP = Pattern.compile("[^\\p{L}']+");
  private static final Map<String, Set<String>> COMMON = new LinkedHashMap<>();
  private static final Map<Character.UnicodeScript, String> SCRIPTS =
      Map.of(
          Character.UnicodeScript.HAN, "zh",
          Character.UnicodeScript.HIRAGANA, "ja",
          Character.UnicodeScript.HANGUL, "ko",
          Character.UnicodeScript.CYRILLIC, "ru",
          Character.UnicodeScript.ARABIC, "ar",
          Character.UnicodeScript.HEBREW, "he",
          Character.UnicodeScript.GREEK, "el",
          Character.UnicodeScript.THAI, "th");

  static {
    common("en", "the of and to in is that for it with as was on are by this be from an at or not");
    common(
        "de",
        "der die und das ist nicht ein eine zu den mit auf für von im dem des sich auch wird");
    common("fr", "le la les des et est une un dans que pour pas qui sur avec du au par ce il sont");
    common("es", "el los las una y que es por con para del se no su al como más pero fue lo este");
    common("it", "il di che è un una per non sono del della con si dei gli le nel alla anche come");
    common("nl", "het een van en is dat op te zijn voor met niet aan er maar om ook als bij naar");
    common("pt", "o os as um uma de que não para com do da em por mais como dos foi ao ele são");
  }

  private Languages() {}

  private static void common(String language, String words) {
    COMMON.put(language, Set.of(words.split(" ")));
  }

  static boolean knows(String language) {
    return COMMON.containsKey(language) || SCRIPTS.containsValue(language);
  }

  /** The language of a text; empty where it cannot be told. */
  static Optional<String> of(String text) {
    long letters = text.codePoints().filter(Character::isLetter).count();
    Optional<String> byScript = byScript(text, letters);
    return byScript.isPresent() || letters < LETTERS_MIN ? byScript : byWords(text);
  }

  private static Optional<String> byScript(String text, long letters) {
    for (Map.Entry<Character.UnicodeScript, String> each : SCRIPTS.entrySet()) {
      long of =
          text.codePoints()
              .filter(Character::isLetter)
              .filter(c -> Character.UnicodeScript.of(c) == each.getKey())
              .count();
      if (of * 2 > letters && of >= 10) {
        return Optional.of(each.getValue());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> byWords(String text) {
    List<String> words = Arrays.asList(GAP.split(text.toLowerCase(Locale.ROOT)));
    record Score(String language, long hits) {}
    List<Score> scores =
        COMMON.entrySet().stream()
            .map(
                each ->
                    new Score(
                        each.getKey(), words.stream().filter(each.getValue()::contains).count()))
            .sorted(Comparator.comparingLong(Score::hits).reversed())
            .toList();
    Score best = scores.getFirst();
    return best.hits() >= WORDS_MIN && best.hits() >= scores.get(1).hits() + LEAD
        ? Optional.of(best.language())
        : Optional.empty();
  }
}
