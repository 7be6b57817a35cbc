package dev.onejob.qualification;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One question to a provider. It is a job of its own, so that it is never asked twice.
 *
 * @param about the sample or the variant that is asked about
 * @param number from 1, among the repetitions of the same question
 * @param input as production would send it
 * @param twist how it is asked otherwise than in production
 * @param expected what has to come back; null where the contract alone decides
 */
public record Ask(
    Series series,
    String about,
    int number,
    byte[] input,
    Twist twist,
    @Nullable JsonNode expected) {

  /** What several questions have in common: why they are asked. */
  public enum Series {
    /** The samples, asked as in production at the contract's temperature. */
    SAMPLE,
    /** The samples at a temperature of 0.2 or less. */
    COLD,
    /** A rule that stands in the system turn alone. */
    SYSTEM,
    /** The same, against an input that says the contrary. */
    PRECEDENCE,
    /** More is asked for than the token limit lets through. */
    CUT,
    /** A harmless question that over-cautious models refuse. */
    BENIGN,
    /** Strings that have to come back as they are. */
    ECHO,
    /** Words hidden all along the largest sample. */
    CONTEXT,
    /** A text that a stop sequence has to end. */
    STOP,
    /** Failures that are played to the adapter from this machine. */
    FAILURE,
    /** A key that nobody has. */
    WRONG_KEY,
    /** The prompt as the server renders it; no text is generated. */
    RENDERING,
    /** The same, of the question about the largest sample. */
    RENDERED_CONTEXT;

    /** The word in keys, reports and JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Names it within a run: {@code sample/invoice-1/3}. */
  public String key() {
    return series.word() + "/" + about + "/" + number;
  }
}
