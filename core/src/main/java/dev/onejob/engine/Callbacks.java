package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Life;
import dev.onejob.provider.Outcome;
import dev.onejob.store.JobQueries;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.WorkerLeases;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What providers say of attempts by themselves, under the attempt's own secret: proof, like the
 * answer to the request. It goes to the same swap and may come on any node, before the request is
 * answered or long after anyone listens. The attempt is always there: it is durable before its
 * request leaves. Safe for many threads.
 */
public final class Callbacks {
  private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

  private final CallbackSecrets secrets;
  private final @Nullable CallbackDoor door;
  private final EngineConfig config;
  private final WorkerLeases attempts;
  private final Moves moves;
  private final JobQueries queries;
  private final Pricing pricing;
  private final Chronicle chronicle;
  private final Reported reported;
  private final Consumer<Answer> onMove;

  /**
   * Makes one.
   *
   * @param reported told of every report that was news
   * @param onMove told of every move of a job
   */
  Callbacks(
      EngineConfig config,
      Stores stores,
      Chronicle chronicle,
      Reported reported,
      Consumer<Answer> onMove) {
    this.reported = reported;
    this.secrets = CallbackSecrets.of(stores.callbackKey());
    this.door = config.callbackDoor();
    this.config = config;
    this.attempts = stores.workerLeases();
    this.moves = stores.moves();
    this.queries = stores.queries();
    this.pricing = new Pricing(config);
    this.chronicle = chronicle;
    this.onMove = onMove;
  }

  /** The address that the attempt's provider is given; null if this node knows no door. */
  @Nullable URI address(AttemptId attempt) {
    return door == null ? null : door.address(attempt, secrets.of(attempt));
  }

  /**
   * Whether who calls may speak for the attempt. Asks no database: of an attempt that there never
   * was it says the same as of one that there is.
   */
  public boolean admits(AttemptId attempt, String secret) {
    return secrets.matches(attempt, secret);
  }

  /**
   * How the attempt stands after a callback.
   *
   * @param lostTo the winner, if the attempt was lost
   * @param broken what the result broke of the contract, if the attempt failed for that
   */
  public record Standing(
      AttemptState state, @Nullable AttemptId lostTo, ContractVerdict.@Nullable Broken broken) {}

  /**
   * Takes what a provider says about the end of an attempt; durable when this returns. A result is
   * held against the contract of its kind first, as every result is. Said again it changes nothing;
   * what contradicts an end is kept as evidence, and contests the job where it says that an ended
   * attempt acted. Empty if there is no such attempt.
   *
   * @throws KindNotKnownException if it brings a result and this node does not know the kind
   * @throws dev.onejob.store.StoreException if the database does not answer: to be sent again
   */
  public Optional<Standing> take(AttemptId attempt, Outcome outcome) {
    return attempts.find(attempt).flatMap(known -> taken(attempt, known, outcome));
  }

  private Optional<Standing> taken(AttemptId attempt, WorkerLeases.Known known, Outcome outcome) {
    Kind kind = config.judging(known.kind(), known.contracted());
    Cost cost = pricing.cost(known.provider(), outcome);
    MoveRequest request =
        WorkerReports.request(
                attempt,
                known,
                kind,
                () -> queries.work(known.job()).map(JobQueries.Work::input),
                outcome,
                cost)
            .from(MoveRequest.Source.CALLBACK);
    return moves
        .make(request)
        .map(
            made -> {
              Answer answer = made.answer();
              Standing standing = standing(made.after(), attempt, broken(request, answer));
              if (answer instanceof Answer.Moved || answer instanceof Answer.Lost) {
                chronicle.charged(known.kind(), known.provider(), cost);
                reported.news(kind, known, request, outcome, answer);
              }
              onMove.accept(answer);
              LOG.info(
                  "{} {}: {} by callback: {}",
                  known.job(),
                  attempt,
                  JobLog.word(request.event()),
                  answer.getClass().getSimpleName());
              return standing;
            });
  }

  private static ContractVerdict.@Nullable Broken broken(MoveRequest request, Answer answer) {
    boolean taken = answer instanceof Answer.Moved || answer instanceof Answer.Repeated;
    return taken && request.details() instanceof MoveRequest.BrokenContract it
        ? it.verdict()
        : null;
  }

  private static Standing standing(
      Life life, AttemptId attempt, ContractVerdict.@Nullable Broken broken) {
    AttemptState state = life.attempt(attempt).orElseThrow().state();
    AttemptId winner = state == AttemptState.LOST ? life.job().completedBy() : null;
    return new Standing(state, winner, state == AttemptState.FAILED ? broken : null);
  }
}
