package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import dev.onejob.store.Admissions;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.NewJob;
import dev.onejob.store.StoreException;
import dev.onejob.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The frequent moves of this node: they share flights, and each goes on alone where the short way
 * does not say yes.
 */
final class Writes {
  /** With two, one is read and answered while the other is written. */
  private static final int FLIGHTS_MAX = 2;

  /** Statements of many births at a time: so many rows keep a processor busy each. */
  private static final int BULKS_MAX = 2;

  private final GroupCommit<Write, Write.Written> flights;
  private final GroupCommit<NewJob, Admissions.Bound> secondLooks;
  private final Function<List<MoveRequest>, List<Optional<Answer.Started>>> takes;
  private final BoundKeys boundKeys = new BoundKeys();
  private final Semaphore bulks = new Semaphore(BULKS_MAX, true);
  private final Admissions admissions;
  private final Moves moves;
  private final Chronicle chronicle;

  Writes(Stores stores, Chronicle chronicle) {
    this.flights =
        new GroupCommit<>(
            FLIGHTS_MAX,
            Write::getClass,
            Write::job,
            chronicle.batches(stores.shortWay()::write),
            Write::bytes);
    this.secondLooks =
        new GroupCommit<>(1, NewJob::id, stores.admissions()::lookAgain, job -> job.input().length);
    this.takes = chronicle.batches(stores.shortWay()::take);
    this.admissions = stores.admissions();
    this.moves = stores.moves();
    this.chronicle = chronicle;
  }

  /**
   * Whether its key may be bound already: then it is looked up first, and takes no slot for that.
   */
  boolean mayBeBound(NewJob job) {
    return boundKeys.mayHold(job.owner(), job.key());
  }

  /** Admits a job, which waits to be started, or finds the one that its key is bound to. */
  Admissions.Bound admit(NewJob job) {
    return admit(job, null);
  }

  /**
   * Admits a job, or finds the one that its key is bound to.
   *
   * @param start of its first attempt, to be made with it; see {@link Write.Admit}
   */
  Admissions.Bound admit(NewJob job, @Nullable MoveRequest start) {
    if (start == null && mayBeBound(job)) {
      return secondLooks.submit(job);
    }
    Write.Written written = flights.submit(new Write.Admit(job, start));
    boundKeys.add(job.owner(), job.key());
    return written instanceof Write.Born born ? born.bound(job) : secondLooks.submit(job);
  }

  /** The first attempt of a job whose version is the first too. */
  static Answer.Started started(MoveRequest start) {
    return new Answer.Started(((JobEvent.Start) start.event()).attempt(), 1, 0);
  }

  /**
   * Admits many, on a way of their own beside the flights. They wait to be started. A bad row, or a
   * key that somebody else holds, is told of after all others were written.
   *
   * @return for each, in their order, what its key is bound to
   */
  List<Admissions.Bound> admitAll(List<NewJob> jobs) {
    List<StoreException> harmed = new ArrayList<>();
    List<Admissions.Bound> bound = admitHalves(jobs, harmed);
    if (!harmed.isEmpty()) {
      throw harmed.getFirst();
    }
    return bound;
  }

  private List<Admissions.Bound> admitHalves(List<NewJob> jobs, List<StoreException> harmed) {
    try {
      if (jobs.isEmpty()) {
        return List.of();
      }
      return jobs.size() == 1 ? List.of(admit(jobs.getFirst())) : admitTogether(jobs);
    } catch (StoreException e) {
      if (!StartWriter.nothingWasDone(e)) {
        throw e;
      }
      if (jobs.size() == 1) {
        harmed.add(e);
        return List.of();
      }
    }
    int half = jobs.size() / 2;
    List<Admissions.Bound> bound = new ArrayList<>(admitHalves(jobs.subList(0, half), harmed));
    bound.addAll(admitHalves(jobs.subList(half, jobs.size()), harmed));
    return bound;
  }

  private List<Admissions.Bound> admitTogether(List<NewJob> jobs) {
    bulks.acquireUninterruptibly();
    try {
      return chronicle.batches(admissions::admit).apply(jobs);
    } finally {
      bulks.release();
    }
  }

  /** Starts what was found due, as {@link dev.onejob.store.ShortWay#take}. */
  List<Optional<Answer.Started>> take(List<MoveRequest> starts) {
    return takes.apply(starts);
  }

  /** Starts an attempt, or says why not; empty if there is no such job. */
  Optional<Answer> start(String kind, MoveRequest request) {
    if (request.asOf() != null) { // as what the job was seen is compared by the long way alone
      return moves.move(request);
    }
    Optional<Answer> answer = moved(new Write.Start(request));
    if (answer.orElse(null) instanceof Answer.Started started) {
      chronicle.started(kind, request, started);
    }
    return answer.isPresent() ? answer : moves.move(request);
  }

  /** Claims the slot for a result; empty if the short way does not say yes. */
  Optional<Answer> claimSlot(MoveRequest request) {
    return moved(new Write.ClaimSlot(request));
  }

  private Optional<Answer> moved(Write write) {
    return flights.submit(write) instanceof Write.Moved moved
        ? Optional.of(moved.answer())
        : Optional.empty();
  }
}
