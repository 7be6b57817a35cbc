package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Backlog;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobGlance;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Then;
import dev.onejob.store.Leases;
import dev.onejob.store.Migrations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The engine in a process: admits jobs, runs them, and answers for them. Safe for many threads. */
public final class JobEngine implements AutoCloseable {
  private static final Duration STOP_INTERVAL = Duration.ofSeconds(1);

  /** How late a poll may be on a node that is ready. */
  private static final Duration READY_MARGIN = Duration.ofSeconds(5);

  private final Stores stores;
  private final EngineConfig.Holding holding;
  private final EngineConfig config;
  private final LeaseKeeper keeper;
  private final Persistence persistence = Persistence.ofThisMachine();
  private final Drain drain;
  private final Orders orders;
  private final Timers timers = new Timers();
  private final Waiters waiters;
  private final Runs runs;
  private final Dispatcher dispatcher;
  private final Admission admission;
  private final Pull pull;
  private final Callbacks callbacks;
  private final ProviderCallbacks providerCallbacks;
  private final Pass matching;
  private final List<Pass> passes;
  private final Pass polling;
  private final Pass stopping;
  private final Racer racer;
  private final RepeatCounts repeats;
  private final Reconciler reconciler;
  private final ProviderHealth health;
  private final Pass looking;
  private final Detours detours;
  private final Proofs proofs;
  private final WakeUps wakeUps;
  private final Desk desk;
  private final Keeper retention;
  private final Reads reads;
  private final Slots slots;
  private final Appetite appetite;
  private final DueNews due;

  private JobEngine(
      DataSource database, DataSource heartbeats, EngineConfig config, EngineListener listener) {
    Chronicle chronicle = new Chronicle(listener);
    this.config = config;
    this.stores = Stores.over(database, config.demands(), chronicle);
    this.health = new ProviderHealth(config, stores, chronicle, this::tellOfProviders);
    this.looking = new Pass("health", config.pollInterval(), health::lookOnce);
    this.holding = config.holding();
    this.keeper = new LeaseKeeper(new Leases(heartbeats), holding);
    this.waiters = new Waiters(stores.queries());
    this.reads = new Reads(stores.queries());
    this.polling = new Pass("poll", config.pollInterval(), this::pollOnce);
    this.due = new DueNews(polling::signal, this::lookForWorkers, this::wakeOthers);
    Writes writes = new Writes(stores, chronicle);
    Settler settler = settler(writes, chronicle);
    this.appetite = new Appetite(polling::signal, timers::afterIfOpen);
    this.slots = new Slots(config, this::slotReleased);
    Reported reported = new Reported(health, this::won);
    this.callbacks = new Callbacks(config, stores, chronicle, reported, this::moved);
    LateListeners listeners = new LateListeners(holding.lateAnswersMax());
    var held = new AttemptRun.Held(keeper, settler, listeners, this::raceTime, this::accepted);
    this.runs = new Runs(config, held, callbacks, timers);
    this.dispatcher =
        new Dispatcher(
            config,
            stores,
            chronicle,
            writes,
            new StartWriter(writes, stores.moves(), stores.leases(), persistence),
            runs,
            waiters,
            slots,
            health);
    Button button = new Button(dispatcher, health, due::leftForWorkers);
    this.orders = new Orders(stores, config, button, this::moved);
    this.repeats = new RepeatCounts(stores.repeats());
    this.drain = new Drain(slots, keeper, dispatcher, runs, stores.moves());
    this.wakeUps = new WakeUps(stores.notices(), due::here, looking::signal);
    this.admission = new Admission(stores, writes, chronicle, dispatcher, due, repeats);
    this.pull = new Pull(config, stores, chronicle, reported, this::moved);
    this.racer = new Racer(config, stores, dispatcher, slots, health, due::leftForWorkers);
    Sweeper sweeper = new Sweeper(stores, runs, waiters, health, config.kinds(), due::here);
    Pass sweeping = new Pass("sweep", config.sweepInterval(), () -> sweepOnce(sweeper));
    this.stopping = new Pass("stop", STOP_INTERVAL, sweeper::stopUnwantedOnce);
    this.reconciler = new Reconciler(config, stores, settler, callbacks);
    Pass probing = new Pass("probe", config.sweepInterval(), reconciler::probeOnce);
    this.providerCallbacks = new ProviderCallbacks(config, stores, callbacks, probing::signal);
    this.matching = new Pass("match", config.sweepInterval(), providerCallbacks::matchOnce);
    this.detours = new Detours(config, stores, health, due::here);
    this.proofs = new Proofs(config, stores, chronicle, detours::signal);
    this.desk = new Desk(stores.desk(), health);
    this.retention = new Keeper(stores.retention(), config.retention());
    Pass lookingOut =
        new Pass("lookout", Lookout.INTERVAL, new Lookout(stores.hindrances(), config)::lookOnce);
    this.passes = List.of(polling, sweeping, stopping, probing, looking, matching, lookingOut);
  }

  private Settler settler(Writes writes, Chronicle chronicle) {
    return new Settler(
        stores,
        writes,
        persistence,
        chronicle,
        waiters,
        due::here,
        health,
        this::won,
        new Pricing(config));
  }

  /**
   * Migrates the schema and starts a node that nobody listens to. It renews the leases of its
   * attempts over one connection that it keeps from the start on.
   */
  public static JobEngine start(DataSource database, EngineConfig config) {
    return start(database, database, config, EngineListener.SILENT);
  }

  /**
   * Migrates the schema and starts a node.
   *
   * @param heartbeats gives the one connection over which leases are renewed: to the same database,
   *     but from outside of its pool, so that it can be opened anew while the pool is used up
   */
  public static JobEngine start(
      DataSource database, DataSource heartbeats, EngineConfig config, EngineListener listener) {
    Migrations.migrate(database);
    JobEngine engine = new JobEngine(database, heartbeats, config, listener);
    engine.keeper.start();
    engine.waiters.start();
    engine.passes.forEach(Pass::start);
    engine.pull.start();
    engine.detours.start();
    engine.wakeUps.start();
    engine.retention.start();
    engine.racer.start();
    engine.repeats.start();
    return engine;
  }

  /** Doubted is only what had lapsed before others were looked for that can be watched on. */
  private void sweepOnce(Sweeper sweeper) {
    Instant asOf = sweeper.now();
    reconciler.watchOnOnce();
    sweeper.sweepOnce(asOf);
  }

  private void accepted() {
    matching.signal(); // an event may have come before the id that it names was on record
  }

  private void raceTime() {
    racer.signal();
  }

  private void pollOnce() {
    appetite.looking();
    appetite.looked(dispatcher.lookOnce(), slots);
  }

  private void lookForWorkers() {
    pull.signal();
  }

  private void wakeOthers() {
    wakeUps.wakeOthers();
  }

  private void won(Settler.Speaker speaker) {
    health.kept(speaker.kind(), speaker.provider());
    if (speaker.kind().raceAfter() != null) {
      runs.stopRivals(speaker);
    }
  }

  private void tellOfProviders() {
    wakeUps.tellOfProviders();
  }

  private void slotReleased() {
    appetite.slotReleased(slots);
  }

  /** Admits an intent, or finds the job that its key is bound to. Durable when it returns. */
  public Admitted submit(Submission submission) {
    return admission.submit(submission);
  }

  /**
   * Admits many, as {@link #submit} each in turn, in far fewer transactions; all are in memory at
   * once. What is created waits in the queue first, and is durable when this returns.
   *
   * @return an answer for each, in their order
   * @throws dev.onejob.store.StoreException if some could not be written; others may have been, and
   *     the same call again answers for all of them
   */
  public List<Admitted> submitAll(List<Submission> submissions) {
    return admission.submitAll(submissions);
  }

  /** Reads a job; empty if there is none within reach of the caller. */
  public Optional<Job> job(Access access, JobId id) {
    return reads.job(id).filter(job -> access.covers(job.owner()));
  }

  /** Reads how far a job is; empty if there is none within reach of the caller. */
  public Optional<JobGlance> glance(Access access, JobId id) {
    return stores.queries().glance(id).filter(job -> access.covers(job.owner()));
  }

  /** Reads an attempt; empty if there is none within reach of the caller. */
  public Optional<Attempt> attempt(Access access, AttemptId id) {
    return stores.queries().jobOf(id).flatMap(it -> job(access, it)).flatMap(it -> it.attempt(id));
  }

  /** The beginning of an answer that broke its contract, while it is kept; see {@link Attempt}. */
  public Optional<byte[]> brokenAnswer(Access access, AttemptId id) {
    return attempt(access, id).flatMap(found -> stores.queries().brokenAnswer(id));
  }

  /** Lists jobs within reach of the caller, newest first. */
  public Job.Page list(Access access, JobFilter filter) {
    return filter.page(access, stores.queries());
  }

  /** What people order, as of what they have seen. */
  public Orders orders() {
    return orders;
  }

  /**
   * The fallback button: starts a fresh attempt if the guard allows it.
   *
   * @param provider on the route of the job; null: the first that this job has not tried, else the
   *     first
   * @return empty if there is no such job within reach of the caller
   */
  public Optional<ButtonAnswer> startAttempt(Access access, JobId id, @Nullable String provider) {
    return orders.startAttempt(access, id, provider);
  }

  /**
   * Asks for a cancel: {@link Answer.Moved}, {@link Answer.Repeated} or {@link Answer.NotAllowed}.
   * Empty if there is no such job within reach of the caller.
   */
  public Optional<Answer> cancel(Access access, JobId id) {
    return orders.cancel(access, id);
  }

  /**
   * Carries out a decision about an attempt: {@link Answer.Moved}, {@link Answer.Lost} (done, but
   * the slot had gone) or {@link Answer.NotAllowed}. Empty if there is no such attempt.
   *
   * @throws BrokenContractException if the result breaks the contract of the kind; nothing was
   *     changed
   * @throws KindNotKnownException if there is a result, and this node does not know its kind
   * @throws IllegalArgumentException if reason, name or result cannot be kept; nothing was changed
   */
  public Optional<Answer> resolve(AttemptId id, Decision decision) {
    return orders.resolve(id, decision);
  }

  /**
   * An operator has seen that the job is contested. Empty if there is no such job.
   *
   * @throws IllegalArgumentException if reason or name cannot be kept; nothing was changed
   */
  public Optional<Answer> acknowledge(JobId id, Then then, String reason, String decidedBy) {
    return orders.acknowledge(id, then, reason, decidedBy);
  }

  /**
   * Lets a failed job go on, under the same key and id: {@link Answer.Moved}, or {@link
   * Answer.NotAllowed} if it has not failed, is contested, or was emptied. Empty if there is no
   * such job within reach of the caller.
   *
   * @throws IllegalArgumentException if the number of attempts, reason or name cannot be used;
   *     nothing was changed
   */
  public Optional<Answer> reopen(Access access, JobId id, Reopen reopen) {
    return orders.reopen(access, id, reopen);
  }

  /** Everything that waits for a person, within reach of the caller, oldest first. */
  public DeskItem.Page desk(Access access, DeskFilter filter) {
    return desk.all(access, filter);
  }

  /** The attempts in doubt within reach of the caller, oldest first. */
  public DeskItem.Page inDoubt(Access access, DeskFilter filter) {
    return desk.inDoubt(access, filter);
  }

  private Answer moved(Answer answer) {
    waiters.look();
    due.here();
    stopping.signal();
    return answer;
  }

  /** Waits until the job has ended, for at most the given time (capped at 60 s). */
  public void awaitEnd(JobId id, Duration atMost) throws InterruptedException {
    waiters.awaitEnd(id, atMost.compareTo(Limits.WAIT_MAX) > 0 ? Limits.WAIT_MAX : atMost);
  }

  /** The side of the workers that fetch their work. */
  public Pull pull() {
    return pull;
  }

  ProviderHealth health() {
    return health;
  }

  Detours detours() {
    return detours;
  }

  /** Which providers have proved themselves, and which answer. */
  public Proofs proofs() {
    return proofs;
  }

  /** The side of the providers that call back. */
  public Callbacks callbacks() {
    return callbacks;
  }

  /** The side of the providers that call back in a form of their own. */
  public ProviderCallbacks providerCallbacks() {
    return providerCallbacks;
  }

  /** What waits at the moment, over all nodes, of the kinds of this one. Two cheap queries. */
  public Backlog backlog() {
    return stores.backlogs().now(dispatcher.kindNames());
  }

  /** Whether a poll for due jobs succeeded lately, and the node does not stop. */
  public boolean ready() {
    return !isStopping() && polling.isOnTime(READY_MARGIN);
  }

  private boolean isStopping() {
    return dispatcher.closed();
  }

  /**
   * Stops in order: starts nothing more, and waits for the attempts under way for at most the stop
   * grace, while their leases are renewed. What is left then is in doubt when this returns. Jobs
   * are still admitted and answered for, until {@link #close}; they wait for another node, or for
   * the next start.
   */
  public void drain() {
    drain.run(holding.stopGrace());
  }

  /** Drains, if that was not done, and lets go of everything. */
  @Override
  public void close() {
    if (!isStopping()) {
      drain();
    }
    reconciler.close();
    persistence.close();
    pull.close();
    passes.forEach(Pass::close);
    detours.close();
    retention.close();
    racer.close();
    repeats.close();
    wakeUps.close();
    waiters.close();
    timers.close();
    keeper.close();
  }
}
