package dev.onejob.server.ui.playground;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.store.JobQueries;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clicks as Onejob takes them, through the engine of this node. What has become of them is read
 * through the small pool of pages, once for each look, and handed to all who want to know.
 */
final class OnejobSide {
  private static final Logger LOG = LoggerFactory.getLogger(OnejobSide.class);
  private static final long LOOK_MILLIS = 100;
  private static final List<String> TAGS = List.of("playground");

  /** What evidence of a result begins with. */
  private static final String SUCCEEDED = "succeeded";

  private final JobEngine engine;
  private final Acts acts;
  private final Credential who;
  private final Curl curl;
  private final BooleanSupplier closing;
  private final JobQueries reading;
  private final Choice choice;
  private final Journal journal;
  private final IntentKey key;
  private volatile @Nullable JobId job;
  private volatile long admittedAt;
  private volatile Optional<Job> seen = Optional.empty();

  OnejobSide(
      JobEngine engine,
      Credential who,
      Ground ground,
      Choice choice,
      Journal journal,
      IntentKey key) {
    this.engine = engine;
    this.acts = new Acts(engine);
    this.who = who;
    this.curl = ground.curl();
    this.closing = ground.closing();
    this.reading = ground.reading();
    this.choice = choice;
    this.journal = journal;
    this.key = key;
  }

  IntentKey key() {
    return key;
  }

  /** The job; null while there is none. */
  @Nullable JobId job() {
    return job;
  }

  /** What was ordered, as a job of this run. */
  Submission submission(String order) {
    return new Submission(
        who.owner(),
        key,
        choice.preset().kind(),
        choice.inputBytes(order),
        /* route= */ null,
        /* deadline= */ null,
        /* priority= */ 0,
        TAGS);
  }

  String submitLine(String order) {
    return curl.submit(key.value(), choice.submission(order));
  }

  /** The job was admitted. */
  void admitted(JobId id) {
    job = id;
    admittedAt = journal.millis();
  }

  /** A click. */
  void click(String order, String did) {
    Admitted answer = engine.submit(submission(order));
    String line = submitLine(order);
    switch (answer) {
      case Admitted.Created created -> {
        admitted(created.id());
        journal.add(
            did,
            "201, a new job",
            "The job is written down under (owner, key), and its attempt too, before a byte leaves"
                + " for the provider.",
            line);
      }
      case Admitted.Known known -> {
        journal.add(
            did,
            "200, the same job" + stateNow(),
            "The key is known and the intent is the same: a repeat is answered with the job as it"
                + " is, and starts nothing.",
            line);
      }
      case Admitted.DifferentIntent other ->
          journal.add(
              did,
              Said.problem(ProblemType.INTENT_MISMATCH),
              "The fingerprint of the intent is kept with the job and compared every time. Nothing"
                  + " was changed and nothing was sent.",
              line);
      case Admitted.Refused refused -> journal.add(did, refused.message(), "", line);
    }
  }

  /** Presses the fallback button. */
  void press(String provider, String did) {
    JobId id = job;
    if (id == null) {
      return;
    }
    String line = curl.act("/v1/jobs/" + id + "/attempts", "{\"provider\":\"" + provider + "\"}");
    try {
      Acts.Pressed pressed = acts.press(who, id, provider);
      journal.add(
          did,
          "201, attempt " + pressed.attempt().standing().number() + " at " + provider,
          "The guard of the start looks at the job's row: no result, nothing starting, nothing in"
              + " doubt.",
          line);
    } catch (ProblemException refused) {
      Problem problem = refused.problem();
      journal.add(
          did, Said.problem(problem.type()) + " " + problem.detail(), why(problem.type()), line);
    }
  }

  private static String why(ProblemType type) {
    return switch (type) {
      case ATTEMPT_BLOCKED ->
          "Silence is not failure: what fell silent may still act. Starting another now could make"
              + " the act happen twice.";
      case JOB_ENDED -> "It has its result; there is nothing to fall back from.";
      default -> "";
    };
  }

  /** A person abandons the attempt in doubt. */
  void abandon(String did, String reason) {
    Optional<Attempt> doubtful = attempt(each -> state(each) == AttemptState.UNKNOWN);
    if (doubtful.isEmpty()) {
      journal.note("No attempt is in doubt", "There is nothing to abandon.");
      return;
    }
    AttemptId id = doubtful.get().standing().id();
    Optional<Answer> answer = engine.resolve(id, Said.abandoning(reason, who.name()));
    journal.add(
        did,
        Said.toAbandoning(answer),
        "A decision, not a guess: it is signed and kept, with its reason. In earnest it takes an"
            + " operator's key.",
        curl.act(
            "/v1/attempts/" + id + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"" + reason + "\"}"));
  }

  /**
   * Waits until an attempt is in a state, or the job has ended, as the looks show it; not for ever.
   *
   * @return the attempt as it was seen; empty if there is none
   */
  Optional<Attempt> awaitAttempt(Predicate<Attempt> wanted, Duration atMost)
      throws InterruptedException {
    long end = journal.millis() + atMost.toMillis();
    Optional<Attempt> found = attempt(wanted);
    while (found.isEmpty() && journal.millis() < end && !closing.getAsBoolean() && !ended()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      found = attempt(wanted);
    }
    return found;
  }

  /** Whether there is no job, or it has ended and none of its attempts is live. */
  boolean quiet() {
    return job == null || seen.map(Job::standing).filter(OnejobSide::quiet).isPresent();
  }

  static boolean quiet(JobStanding standing) {
    return standing.state().terminal() && standing.live() == 0;
  }

  boolean ended() {
    return seen.filter(each -> each.standing().state().terminal()).isPresent();
  }

  static AttemptState state(Attempt attempt) {
    return attempt.standing().state();
  }

  private Optional<Attempt> attempt(Predicate<Attempt> wanted) {
    return seen.stream().flatMap(each -> each.attempts().stream()).filter(wanted).findFirst();
  }

  /** The job as the last look has shown it; empty while there is none. */
  Optional<Job> seen() {
    return seen;
  }

  /**
   * Looks at the job; what it shows is what everybody sees until the next look. One at a time, so
   * that no older look takes the place of a newer one.
   *
   * @throws StoreException if it cannot be read at the moment; then the last look stays
   */
  synchronized Optional<Job> look() {
    JobId id = job;
    if (id != null) {
      seen = reading.job(id).filter(each -> each.owner().equals(who.owner()));
    }
    return seen;
  }

  /** A click is done, whether or not it can be read at the moment what it has met. */
  private String stateNow() {
    try {
      return look().map(each -> ", " + each.standing().state().word()).orElse("");
    } catch (StoreException e) {
      LOG.debug("a look at a job of the playground has failed", e);
      return "";
    }
  }

  /** Leaves nothing on the desk: a run is over some time, whatever the providers were told. */
  void tidyUp() {
    look().ifPresent(new LettingGo(engine, who.name(), journal)::of);
  }

  /** The last step: what the record of the job says. */
  void sayHowItEnded() {
    look().ifPresent(this::sayHowItEnded);
  }

  private void sayHowItEnded(Job ended) {
    for (Attempt each : ended.attempts()) {
      String name = "Attempt " + each.standing().number();
      if (state(each) == AttemptState.SUCCEEDED) {
        journal.note(
            name + " has claimed the slot of the result",
            each.unknownAt() == null
                ? "The first valid finish wins, by a compare-and-swap on the job's row."
                : "It had been unknown. Evidence ended the doubt, not a guess: " + learned(each));
      } else if (isDropped(each)) {
        journal.note(
            name + " answered too late, and its result was thrown away",
            "Digest and size are kept, the payload is not: not merged, not appended.");
      }
    }
  }

  private static String learned(Attempt attempt) {
    return attempt.evidence().isEmpty()
        ? "its own late answer."
        : attempt.evidence().stream()
            .map(Evidence::source)
            .distinct()
            .collect(Collectors.joining(", ", "", "."));
  }

  SideView view(SandboxCount counted, long wholeMillis) {
    Optional<Job> found = seen;
    List<Bar> bars =
        found.map(each -> AttemptBars.of(each, admittedAt, wholeMillis)).orElseGet(List::of);
    int results = found.filter(each -> each.standing().completedBy() != null).isPresent() ? 1 : 0;
    int dropped = found.map(OnejobSide::dropped).orElse(0);
    return new SideView(
        journal.steps(),
        bars,
        counted.allRequests(),
        counted.allEffects(),
        counted.effects(),
        results,
        dropped,
        found.map(each -> List.of(each.id().toString())).orElseGet(List::of));
  }

  private static int dropped(Job job) {
    return (int) job.attempts().stream().filter(OnejobSide::isDropped).count();
  }

  /**
   * Whether it brought a result that was thrown away: it lost the slot, or succeeded after it had
   * ended otherwise. Evidence that says anything else throws nothing away.
   */
  static boolean isDropped(Attempt attempt) {
    AttemptState state = state(attempt);
    return state == AttemptState.LOST
        || (!state.live()
            && state != AttemptState.SUCCEEDED
            && attempt.evidence().stream().anyMatch(each -> each.says().startsWith(SUCCEEDED)));
  }
}
