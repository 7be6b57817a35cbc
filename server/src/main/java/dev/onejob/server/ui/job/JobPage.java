package dev.onejob.server.ui.job;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Verdict;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.ui.page.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a job shows.
 *
 * @param refusal why the button that was pressed did nothing; null: none was refused
 * @param typed what was filled in when it was refused
 * @param operator whether the person may end doubts
 */
public record JobPage(
    Job job, Timeline timeline, @Nullable Problem refusal, Typed typed, boolean operator) {
  /**
   * What was filled in, where a press was refused.
   *
   * @param action where the form was sent: the last part of the address
   */
  public record Typed(String action, Form form) {
    static final Typed NOTHING = new Typed("", Form.NONE);
  }

  /** As what the job is shown. */
  public String mark() {
    return Mark.of(job).text();
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

  /** The word of its state. */
  public String state() {
    return job.standing().state().word();
  }

  /** The input as it was sent, to the byte; null once it was let go. */
  public @Nullable String input() {
    byte[] bytes = job.input();
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** The result as it came, to the byte; null if there is none. */
  public @Nullable String result() {
    return job.result() == null ? null : new String(job.result().bytes(), StandardCharsets.UTF_8);
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
