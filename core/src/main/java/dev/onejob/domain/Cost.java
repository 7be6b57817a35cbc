package dev.onejob.domain;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt has cost, by the prices of the moment at which it ended.
 *
 * @param inputTokens null: not said
 * @param outputTokens null: not said
 * @param price null: not known
 * @param words what the provider said it cost, in its own words; null: nothing
 */
public record Cost(
    @Nullable Long inputTokens,
    @Nullable Long outputTokens,
    @Nullable Money price,
    @Nullable String words) {
  private static final String UNSAID = "-";
  private static final String DIGITS = "([0-9]{1,19}|-)";

  /** The figures stand ahead of the words, so that a text that is cut loses no figure. */
  private static final Pattern FORM =
      Pattern.compile(
          "cost/1 " + DIGITS + " " + DIGITS + " ([0-9.]+|-) ([A-Z]{3}|-)(?:\n(.*))?",
          Pattern.DOTALL);

  /** Of these figures, at this price. */
  public static Cost of(Usage usage, @Nullable Money price, @Nullable String words) {
    return new Cost(usage.inputTokens(), usage.outputTokens(), price, words);
  }

  /** Whether the provider has given a figure of tokens. */
  public boolean hasTokens() {
    return inputTokens != null || outputTokens != null;
  }

  /** As it is kept with the attempt; null if there is nothing to be kept. */
  public @Nullable String text() {
    if (!hasTokens() && price == null && (words == null || !FORM.matcher(words).matches())) {
      return words;
    }
    String figures =
        String.join(
            " ",
            "cost/1",
            inputTokens == null ? UNSAID : inputTokens.toString(),
            outputTokens == null ? UNSAID : outputTokens.toString(),
            price == null ? UNSAID : price.digits(),
            price == null ? UNSAID : price.currency());
    return words == null ? figures : figures + "\n" + words;
  }

  /** Reads {@link #text}: without a line of figures it is all words. */
  public static Cost of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return new Cost(null, null, null, text);
    }
    try {
      return new Cost(
          tokens(form.group(1)),
          tokens(form.group(2)),
          price(form.group(3), form.group(4)),
          form.group(5));
    } catch (IllegalArgumentException e) {
      return new Cost(null, null, null, text);
    }
  }

  private static @Nullable Long tokens(String digits) {
    return digits.equals(UNSAID) ? null : Long.valueOf(digits);
  }

  private static @Nullable Money price(String digits, String currency) {
    return digits.equals(UNSAID) || currency.equals(UNSAID)
        ? null
        : new Money(new BigDecimal(digits), currency);
  }
}
