package dev.onejob.server.ui.qualifications;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question with what was asked, and the answers to it, side by side.
 *
 * @param input as production would send it; shortened visibly
 * @param twist how it was asked otherwise than in production, as JSON; empty: not at all
 * @param expected as JSON; null where the contract alone decides
 * @param sides the run itself first
 */
public record QuestionPage(
    String run,
    String kind,
    String key,
    Words input,
    String twist,
    @Nullable String expected,
    List<Side> sides,
    List<RunPage.Beside> beside) {
  /** Copies the lists. */
  public QuestionPage {
    sides = List.copyOf(sides);
    beside = List.copyOf(beside);
  }

  /**
   * What came from one provider.
   *
   * @param unlisted how many answers more there are, each unlike these
   */
  public record Side(String run, String provider, List<Came> came, int unlisted) {
    /** Copies the list. */
    public Side {
      came = List.copyOf(came);
    }
  }

  /**
   * Answers that are alike.
   *
   * @param asks their numbers
   * @param said of the failure, refusal or doubt; null after a result
   * @param besides the provider's word for why it stopped, its model and its usage; may be empty
   * @param judged what checks say of any of them
   */
  public record Came(
      List<Integer> asks,
      String ending,
      @Nullable String said,
      Words text,
      String besides,
      List<String> judged) {
    /** Copies the lists. */
    public Came {
      asks = List.copyOf(asks);
      judged = List.copyOf(judged);
    }
  }

  /**
   * A text, as far as it is shown.
   *
   * @param hidden how many characters more it has
   */
  public record Words(String text, int hidden) {
    private static final int CHARS_SHOWN = 4_000;

    static Words of(String text) {
      return of(text, CHARS_SHOWN);
    }

    static Words of(String text, int most) {
      if (text.length() <= most) {
        return new Words(text, 0);
      }
      int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
      return new Words(text.substring(0, end), text.length() - end);
    }
  }
}
