package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.QualificationRun;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One run.
 *
 * @param run without report and transcript
 * @param taken what it has taken, in words; empty until it was judged
 * @param beside runs of other providers for the same kind, to compare with
 */
public record RunPage(
    QualificationRun run,
    List<Check> checks,
    List<Question> questions,
    String taken,
    List<Beside> beside) {
  /** Copies the lists. */
  public RunPage {
    checks = List.copyOf(checks);
    questions = List.copyOf(questions);
    beside = List.copyOf(beside);
  }

  /** The checks that stand in the way of a pass. */
  public List<Check> inTheWay() {
    return checks.stream().filter(Check::blocks).toList();
  }

  /** A text as a part of an address. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * What a check says.
   *
   * @param verdict its word: passed, failed, inconclusive or not applicable
   * @param counted how many of how many answers were right, or why it does not apply
   * @param evidence in lines, what is alike in one
   * @param unlisted how many lines more there are
   */
  public record Check(
      String check,
      String title,
      String verdict,
      String bearing,
      String counted,
      List<Line> evidence,
      int unlisted) {
    /** Copies the list. */
    public Check {
      evidence = List.copyOf(evidence);
    }

    /** Whether it stands in the way of a pass. */
    boolean blocks() {
      return bearing.equals("gate") && (verdict.equals("failed") || verdict.equals("inconclusive"));
    }

    /** The style of the verdict. */
    public String mark() {
      return switch (verdict) {
        case "passed" -> "pass";
        case "failed" -> "fail";
        default -> "none";
      };
    }
  }

  /**
   * What is said of one question.
   *
   * @param question its key; empty: it is about no question that was kept
   * @param alike how many more answers to the same question it is said of
   */
  public record Line(String question, String ask, String says, int alike) {}

  /**
   * A question, asked some times.
   *
   * @param key {@code series/about}
   * @param endings how the answers ended, with their numbers
   * @param faults how many times a check names an answer of it
   */
  public record Question(String key, int times, String endings, int faults) {}

  /** A run to be compared with. */
  public record Beside(String id, String provider, String state) {}
}
