package dev.onejob.server.ui.job;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Verdict;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.ui.page.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a job shows.
 *
 * @param refusal why the button that was pressed did nothing; null: none was refused
 * @param typed what was filled in when it was refused
 * @param mark as what its forms show the job
 * @param operator whether the person may end doubts
 * @param sizes of the payloads, whole
 */
public record JobPage(
    Job job,
    Timeline timeline,
    @Nullable Problem refusal,
    Typed typed,
    String mark,
    boolean operator,
    Sizes sizes) {
  /** How many bytes the payloads have, of which the job has the beginnings. */
  public record Sizes(long input, long result) {}

  /**
   * What was filled in, where a press was refused.
   *
   * @param action where the form was sent: the last part of the address
   */
  public record Typed(String action, Form form) {
    static final Typed NOTHING = new Typed("", Form.NONE);
  }

  /** What was filled in when this form was refused; empty if it was another, or none. */
  public String kept(String action, String field) {
    String text = typed.action().equals(action) ? typed.form().exact(field) : null;
    return text == null ? "" : text;
  }

  /** The same of the form about an attempt. */
  public String kept(Attempt attempt, String field) {
    String id = attempt.standing().id().toString();
    return id.equals(kept("resolution", "attempt")) ? kept("resolution", field) : "";
  }

  /** What was written into a form that is not here any more, by the names of its fields. */
  public Map<String, String> homeless() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String field : formIsHere() ? List.<String>of() : List.of("reason", "result")) {
      String text = typed.form().exact(field);
      if (text != null && !text.isBlank()) {
        texts.put(field, text);
      }
    }
    return texts;
  }

  private boolean formIsHere() {
    return switch (typed.action()) {
      case "reopen" -> isFailed();
      case "acknowledgement" -> operator && job.standing().contested();
      case "resolution" ->
          operator
              && undecided().stream()
                  .anyMatch(
                      each ->
                          each.standing().id().toString().equals(kept("resolution", "attempt")));
      default -> true; // the others have no texts
    };
  }

  /** The word of its state. */
  public String state() {
    return job.standing().state().word();
  }

  /** The beginning of the input as it was sent, to the letter; null once it was let go. */
  public @Nullable String input() {
    byte[] bytes = job.input();
    return bytes == null ? null : text(bytes, sizes.input());
  }

  /** The beginning of the result as it came, to the letter; null if there is none. */
  public @Nullable String result() {
    return job.result() == null ? null : text(job.result().bytes(), sizes.result());
  }

  /** How much of a payload is shown, in KiB. */
  public int shownKib() {
    return JobReader.SHOWN_BYTES_MAX >> 10;
  }

  /** Whether only the beginning is shown of a payload of so many bytes. */
  public boolean isCut(long bytes) {
    return bytes > JobReader.SHOWN_BYTES_MAX;
  }

  /** What was cut amid a character ends before it. */
  static String text(byte[] bytes, long whole) {
    int end = bytes.length;
    if (end > 0 && end < whole) {
      int last = end - 1;
      while (last > 0 && (bytes[last] & 0xC0) == 0x80) { // continues a character (RFC 3629)
        last--;
      }
      end = last + length(bytes[last]) > end ? last : end;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  /** How many bytes a character of UTF-8 has, by its first (RFC 3629). */
  private static int length(byte first) {
    int bits = first & 0xFF;
    if (bits >= 0xF0) {
      return 4;
    }
    if (bits >= 0xE0) {
      return 3;
    }
    return bits >= 0xC0 ? 2 : 1;
  }

  /** The attempts that somebody may decide about: those that are live. */
  public List<Attempt> undecided() {
    return job.attempts().stream().filter(each -> each.standing().state().live()).toList();
  }

  /** Whether an attempt is in doubt: then every verdict can be given. */
  public boolean inDoubt(Attempt attempt) {
    return attempt.standing().state() == AttemptState.UNKNOWN;
  }

  /** The verdicts that fit an attempt. */
  public List<String> verdicts(Attempt attempt) {
    return Arrays.stream(Verdict.values())
        .filter(each -> inDoubt(attempt) || each == Verdict.ABANDON)
        .map(Verdict::word)
        .toList();
  }

  /** What a verdict says, for people. */
  public String says(String verdict) {
    return switch (Verdict.of(verdict)) {
      case NOT_DONE -> "it did not happen: the attempt is failed, and the job goes on or waits";
      case DONE -> "it happened, with this result: the attempt wins the slot if it is still free";
      case STILL_RUNNING -> "it is still at work: the job waits for it";
      case ABANDON ->
          "nobody will know: the attempt is cancelled and fenced, a late result is lost";
    };
  }

  /** Whether the job can be asked to go on after it has failed. */
  public boolean isFailed() {
    return job.standing().state() == JobState.FAILED;
  }

  /** Whether it is over. */
  public boolean isOver() {
    return job.standing().state().terminal();
  }

  /** The most attempts that a reopen can allow. */
  public int attemptsMax() {
    return Limits.ATTEMPTS_ALLOWED_MAX;
  }
}
