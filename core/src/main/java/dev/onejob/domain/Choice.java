package dev.onejob.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be decided about an item of the desk, and what it would do if it were decided
 * now: the state machine itself is asked.
 *
 * @param then null where there is nothing to choose
 * @param provider where an attempt would start; null for every other act
 * @param attemptState the attempt's state afterwards; null where the choice is about the job
 * @param job the job afterwards
 */
public record Choice(
    Act act,
    @Nullable Then then,
    @Nullable String provider,
    @Nullable AttemptState attemptState,
    JobStanding job) {
  /** What can be done. */
  public enum Act {
    /** The verdict of that name. */
    NOT_DONE,
    /** The verdict of that name, with the result. */
    DONE,
    /** The verdict of that name. */
    STILL_RUNNING,
    /** The verdict of that name. */
    ABANDON,
    /** The job's contest has been looked at. */
    ACKNOWLEDGE,
    /** The fallback button. */
    START_ATTEMPT,
    /** A cancel of the job. */
    CANCEL;

    /** The word used in JSON and documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A question to the state machine. */
  private record Question(
      Act act, @Nullable Then then, @Nullable AttemptId about, JobEvent event) {}

  /** What can be decided about an attempt in doubt. */
  public static List<Choice> about(Life life, AttemptId attempt, Instant now, Ways ways) {
    Report found = new Report(Report.Outcome.SUCCEEDED, "", 0);
    return answers(
        life,
        now,
        ways,
        List.of(
            verdict(attempt, Act.NOT_DONE, Verdict.NOT_DONE, Then.RETRY),
            verdict(attempt, Act.NOT_DONE, Verdict.NOT_DONE, Then.WAIT),
            new Question(Act.DONE, null, attempt, new JobEvent.ResolveDone(attempt, found)),
            new Question(
                Act.STILL_RUNNING,
                null,
                attempt,
                new JobEvent.Resolve(attempt, Verdict.STILL_RUNNING, Then.WAIT)),
            verdict(attempt, Act.ABANDON, Verdict.ABANDON, Then.WAIT),
            verdict(attempt, Act.ABANDON, Verdict.ABANDON, Then.RETRY)));
  }

  private static Question verdict(AttemptId attempt, Act act, Verdict verdict, Then then) {
    return new Question(act, then, attempt, new JobEvent.Resolve(attempt, verdict, then));
  }

  /**
   * What can be decided about a job that is contested or waits for a decision. A start is a choice
   * of its own at each provider of the route that allows it, in the order of the route.
   *
   * @param fresh an id that no attempt has
   */
  public static List<Choice> aboutJob(Life life, AttemptId fresh, Instant now, Ways ways) {
    List<Question> questions = new ArrayList<>();
    questions.add(acknowledgement(Then.WAIT));
    questions.add(acknowledgement(Then.RETRY));
    for (String provider : new LinkedHashSet<>(life.job().route())) {
      JobEvent start = new JobEvent.Start(fresh, provider, StartCause.BUTTON);
      questions.add(new Question(Act.START_ATTEMPT, null, null, start));
    }
    questions.add(new Question(Act.CANCEL, null, null, new JobEvent.CancelRequest()));
    return answers(life, now, ways, questions);
  }

  private static Question acknowledgement(Then then) {
    return new Question(Act.ACKNOWLEDGE, then, null, new JobEvent.Acknowledge(then));
  }

  private static List<Choice> answers(Life life, Instant now, Ways ways, List<Question> questions) {
    List<Choice> choices = new ArrayList<>();
    for (Question question : questions) {
      Lifecycle.Move move = Lifecycle.apply(life, question.event(), now, ways);
      switch (move.answer()) {
        case Answer.Moved m -> choices.add(choice(question, move.life()));
        case Answer.Lost l -> choices.add(choice(question, move.life()));
        case Answer.Started s -> choices.add(choice(question, move.life()));
        case Answer.StartRefused r -> {}
        case Answer.NotAllowed n -> {}
        case Answer.Repeated r -> {}
        case Answer.Recorded r -> {}
        case Answer.Changed c -> {}
      }
    }
    return choices;
  }

  private static Choice choice(Question question, Life after) {
    AttemptState state =
        question.about() == null
            ? null
            : after.attempt(question.about()).map(AttemptStanding::state).orElse(null);
    String provider = question.event() instanceof JobEvent.Start start ? start.provider() : null;
    return new Choice(question.act(), question.then(), provider, state, after.job());
  }
}
