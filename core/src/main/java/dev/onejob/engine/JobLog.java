package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.StartCause;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.store.Events;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves.Made;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line for each event of a job, with job and attempt as values of their own: one search by an
 * id finds the whole story. What goes as it should is told at debug; info and above tell what
 * somebody may have to look at. Inputs, results, keys and providers' own words are never logged.
 */
final class JobLog {
  /** The logger of all these lines. */
  static final String NAME = "dev.onejob.job";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final Pattern WORD_STARTS = Pattern.compile("(?<=[a-z])(?=[A-Z])");

  void submitted(Submission submission, Admitted answer) {
    switch (answer) {
      case Admitted.Created created ->
          admission(Level.DEBUG, submission, created.id(), "submitted");
      case Admitted.Known known -> admission(Level.DEBUG, submission, known.id(), "repeated");
      case Admitted.DifferentIntent other ->
          admission(Level.INFO, submission, other.id(), "mismatched");
      case Admitted.Refused refused ->
          LOG.atDebug()
              .addKeyValue("owner", submission.owner().value())
              .addKeyValue("code", refused.code())
              .log("not admitted");
    }
  }

  private static void admission(Level level, Submission submission, JobId job, String what) {
    if (!LOG.isEnabledForLevel(level)) {
      return; // submissions are the hot path
    }
    LOG.atLevel(level)
        .addKeyValue("job", job.toString())
        .addKeyValue("owner", submission.owner().value())
        .addKeyValue("kind", submission.kind())
        .log(what);
  }

  void started(MoveRequest request, Answer.Started started) {
    if (LOG.isDebugEnabled() && request.event() instanceof JobEvent.Start start) {
      about(Level.DEBUG, request.job(), started.attempt(), start.provider())
          .addKeyValue("number", started.number())
          .addKeyValue("cause", start.cause().word())
          .log("start");
    }
  }

  void won(Speaker speaker) {
    if (!LOG.isDebugEnabled()) {
      return;
    }
    about(Level.DEBUG, speaker.job(), speaker.attempt(), speaker.provider())
        .addKeyValue("state", "succeeded")
        .log("finish");
  }

  void moved(Made made) {
    Level level =
        made.request().details() instanceof MoveRequest.Parked
            ? Level.WARN
            : level(made.request().event(), made.answer());
    if (!LOG.isEnabledForLevel(level)) {
      return;
    }
    AttemptStanding attempt = attempt(made);
    LoggingEventBuilder line =
        attempt == null
            ? LOG.atLevel(level).addKeyValue("job", made.request().job().toString())
            : about(level, made.request().job(), attempt.id(), attempt.provider())
                .addKeyValue("attempt_state", attempt.state().word());
    line = line.addKeyValue("state", made.after().job().state().word());
    line = withDetails(line, made.request());
    if (made.answer() instanceof Answer.Moved && !made.objections().isEmpty()) {
      line = line.addKeyValue("skipped", skipped(made.objections()));
    }
    withAnswer(line, made.answer()).log(word(made.request().event()));
  }

  /** The ids of ours only: a reason may quote a person. */
  void withdrawn(Qualification pass, Qualification.Withdrawal withdrawal) {
    LOG.atWarn()
        .addKeyValue("kind", pass.kind())
        .addKeyValue("provider", pass.provider())
        .addKeyValue("qualification", pass.id())
        .addKeyValue("by", withdrawal.by())
        .log("qualification withdrawn");
  }

  private static @Nullable AttemptStanding attempt(Made made) {
    Optional<AttemptId> named =
        made.answer() instanceof Answer.Started started
            ? Optional.of(started.attempt())
            : Events.attempt(made.request().event());
    return named.flatMap(made.after()::attempt).orElse(null);
  }

  private static String skipped(List<Objection> objections) {
    return objections.stream()
        .map(objection -> objection.provider() + ":" + objection.reason().word())
        .collect(Collectors.joining(" "));
  }

  private static LoggingEventBuilder about(
      Level level, JobId job, AttemptId attempt, String provider) {
    return LOG.atLevel(level)
        .addKeyValue("job", job.toString())
        .addKeyValue("attempt", attempt.toString())
        .addKeyValue("provider", provider);
  }

  /** The ordinary course at debug; what somebody has to look at, at warn. */
  private static Level level(JobEvent event, Answer answer) {
    return switch (answer) {
      case Answer.Moved moved -> levelOfMove(event);
      case Answer.Started started -> Level.DEBUG;
      case Answer.StartRefused refused ->
          event instanceof JobEvent.Start start && start.cause() != StartCause.BUTTON
              ? Level.DEBUG
              : Level.INFO;
      case Answer.Lost lost -> Level.INFO;
      case Answer.Repeated repeated -> Level.DEBUG;
      case Answer.Recorded recorded ->
          recorded.contest() == Answer.Contest.CONTESTED ? Level.WARN : Level.INFO;
      case Answer.NotAllowed not -> Level.DEBUG;
      case Answer.Changed changed -> Level.INFO;
    };
  }

  private static Level levelOfMove(JobEvent event) {
    if (event instanceof JobEvent.Doubt) {
      return Level.WARN;
    }
    boolean ordinary = event instanceof JobEvent.Accepted || event instanceof JobEvent.Finish;
    return ordinary ? Level.DEBUG : Level.INFO;
  }

  /** Codes and words of ours only: messages may quote a provider. */
  private static LoggingEventBuilder withDetails(LoggingEventBuilder line, MoveRequest request) {
    MoveRequest.Details details = request.details();
    if (details instanceof MoveRequest.Cause cause) {
      return line.addKeyValue("code", cause.failure().code());
    }
    if (details instanceof MoveRequest.BrokenContract broken) {
      String check = broken.verdict().breaches().getFirst().check();
      return line.addKeyValue("code", broken.failure().code()).addKeyValue("check", check);
    }
    if (details instanceof MoveRequest.LapsedLease lease) {
      return line.addKeyValue("code", lease.failure().code());
    }
    if (details instanceof MoveRequest.Parked parked) {
      return withDecision(line, parked.decided()).addKeyValue("parked", "crashes");
    }
    if (details instanceof MoveRequest.ByItself byItself) {
      return withDecision(line, byItself.decided());
    }
    return details instanceof MoveRequest.Decided decided ? withDecision(line, decided) : line;
  }

  private static LoggingEventBuilder withDecision(
      LoggingEventBuilder line, MoveRequest.Decided decided) {
    return line.addKeyValue("verdict", decided.verdict()).addKeyValue("by", decided.decidedBy());
  }

  private static LoggingEventBuilder withAnswer(LoggingEventBuilder line, Answer answer) {
    return switch (answer) {
      case Answer.Moved moved -> line;
      case Answer.Started started -> line.addKeyValue("number", started.number());
      case Answer.StartRefused refused -> withRefusal(line, refused);
      case Answer.Lost lost -> line.addKeyValue("lost_to", lost.winner().toString());
      case Answer.Repeated repeated -> line.addKeyValue("answer", "repeated");
      case Answer.Recorded recorded ->
          line.addKeyValue("answer", recorded.contest().name().toLowerCase(Locale.ROOT));
      case Answer.NotAllowed not -> line.addKeyValue("answer", "not_allowed");
      case Answer.Changed changed -> line.addKeyValue("answer", "changed");
    };
  }

  private static LoggingEventBuilder withRefusal(
      LoggingEventBuilder line, Answer.StartRefused refused) {
    LoggingEventBuilder told = line.addKeyValue("refused", refused.why().word());
    return refused.blocking() == null
        ? told
        : told.addKeyValue("blocking", refused.blocking().toString());
  }

  /** The event in the words of the documents: {@code DeadlineReached} is "deadline reached". */
  static String word(JobEvent event) {
    String name = event.getClass().getSimpleName();
    return WORD_STARTS.matcher(name).replaceAll(" ").toLowerCase(Locale.ROOT);
  }
}
