package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.Cost;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Life;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.StartCause;
import dev.onejob.engine.EngineListener.SubmitAnswer;
import dev.onejob.engine.EngineListener.WithdrawnBy;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves.Made;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what happens to jobs, once it is durable: a line of {@link JobLog} for people, and a word
 * to the {@link EngineListener} that counts. It sees every move: those of the long way are told by
 * the store, those of the short way by who made them.
 *
 * <p>Nothing escapes from here: whoever has made a move would take it for one that failed.
 */
final class Chronicle {
  private static final Logger LOG = LoggerFactory.getLogger(Chronicle.class);

  private final EngineListener listener;
  private final JobLog log = new JobLog();

  Chronicle(EngineListener listener) {
    this.listener = listener;
  }

  private static void tell(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error e) {
      LOG.error("what was done could not be told of to the end: {}", e.toString());
      LOG.debug("untold", e);
    }
  }

  /** Gives the answer back. */
  Admitted submitted(Submission submission, Admitted answer) {
    tell(
        () -> {
          log.submitted(submission, answer);
          listener.submitted(submission.kind(), heard(answer));
        });
    return answer;
  }

  private static SubmitAnswer heard(Admitted answer) {
    return switch (answer) {
      case Admitted.Created created -> SubmitAnswer.CREATED;
      case Admitted.Known known -> SubmitAnswer.REPEATED;
      case Admitted.DifferentIntent other -> SubmitAnswer.MISMATCHED;
      case Admitted.Refused refused -> SubmitAnswer.REFUSED;
    };
  }

  /** The short way of a start said yes. */
  void started(String kind, MoveRequest request, Answer.Started started) {
    tell(
        () -> {
          log.started(request, started);
          if (request.event() instanceof JobEvent.Start start) {
            listener.started(kind, start.provider(), start.cause());
          }
        });
  }

  /** The short way of a settle said yes. */
  void won(Speaker speaker) {
    tell(
        () -> {
          log.won(speaker);
          listener.ended(speaker.kind().name(), speaker.provider(), AttemptState.SUCCEEDED);
        });
  }

  /** What an attempt has cost is kept with it. */
  void charged(String kind, String provider, Cost cost) {
    tell(() -> listener.charged(kind, provider, cost));
  }

  /** The long way has decided. */
  void moved(Made made) {
    tell(
        () -> {
          log.moved(made);
          if (made.answer() instanceof Answer.StartRefused refused) {
            listener.startRefused(made.kind(), refused.why());
          }
          if (made.answer() instanceof Answer.Moved) {
            moved(made, made.request().event());
          }
          made.withdrawn().forEach(this::withdrawn);
          for (AttemptStanding attempt : made.after().attempts()) {
            AttemptState was = state(made.before(), attempt.id());
            if (attempt.state() != was) {
              attemptMoved(made, attempt);
            }
          }
        });
  }

  private void moved(Made made, JobEvent event) {
    if (event instanceof JobEvent.Breached breached) {
      AttemptStanding attempt = made.after().attempt(breached.attempt()).orElseThrow();
      listener.breached(made.kind(), attempt.provider());
    }
    made.objections().forEach(o -> listener.skipped(made.kind(), o.provider(), o.reason()));
  }

  /** A circuit was read, or changed by this node. */
  void circuit(Circuit circuit) {
    tell(() -> listener.circuit(circuit.provider(), circuit.state()));
  }

  /** A qualification was withdrawn. */
  void withdrawn(Qualification pass) {
    tell(() -> ended(pass));
  }

  private void ended(Qualification pass) {
    Qualification.Withdrawal withdrawal = Objects.requireNonNull(pass.withdrawal());
    log.withdrawn(pass, withdrawal);
    WithdrawnBy by =
        switch (withdrawal.by()) {
          case Qualification.BY_BREACHES -> WithdrawnBy.BREACHES;
          case Qualification.BY_MODEL -> WithdrawnBy.MODEL;
          default -> WithdrawnBy.OPERATOR;
        };
    listener.withdrawn(pass.kind(), pass.provider(), by);
  }

  private static @Nullable AttemptState state(Life life, AttemptId id) {
    return life.attempt(id).map(AttemptStanding::state).orElse(null);
  }

  private void attemptMoved(Made made, AttemptStanding attempt) {
    switch (attempt.state()) {
      case STARTING -> listener.started(made.kind(), attempt.provider(), cause(made));
      case RUNNING -> {}
      case UNKNOWN -> listener.doubted(made.kind(), attempt.provider());
      case SUCCEEDED, FAILED, CANCELLED, LOST ->
          listener.ended(made.kind(), attempt.provider(), attempt.state());
    }
  }

  private static StartCause cause(Made made) {
    return made.request().event() instanceof JobEvent.Start start
        ? start.cause()
        : StartCause.DISPATCH;
  }

  /** The batch, timed. One that fails is not told of: its items are tried singly. */
  <T, R> Function<List<T>, List<R>> batches(Function<List<T>, List<R>> batch) {
    return items -> {
      long from = Clocks.nanos();
      List<R> answers = batch.apply(items);
      tell(() -> listener.batched(items.size(), Clocks.since(from)));
      return answers;
    };
  }

  /** The look for due jobs, timed. */
  void looked(long from, int found) {
    tell(() -> listener.looked(found, Clocks.since(from)));
  }
}
