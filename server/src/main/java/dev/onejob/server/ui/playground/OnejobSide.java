package dev.onejob.server.ui.playground;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.Decision;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The clicks as Onejob takes them, through the engine of this node. */
final class OnejobSide {
  private static final long LOOK_MILLIS = 100;
  private static final List<String> TAGS = List.of("playground");

  private final JobEngine engine;
  private final Acts acts;
  private final Credential who;
  private final Curl curl;
  private final BooleanSupplier closing;
  private final Choice choice;
  private final Journal journal;
  private final IntentKey key;
  private volatile @Nullable JobId job;
  private volatile long admittedAt;

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
        Optional<Job> found = engine.job(Access.of(who.owner()), known.id());
        journal.add(
            did,
            "200, the same job, " + found.map(each -> each.standing().state().word()).orElse("?"),
            "The key is known and the intent is the same: a repeat is answered with the job as it"
                + " is, and starts nothing.",
            line);
      }
      case Admitted.DifferentIntent other ->
          journal.add(
              did,
              said(ProblemType.INTENT_MISMATCH),
              "The fingerprint of the intent is kept with the job and compared every time. Nothing"
                  + " was changed and nothing was sent.",
              line);
      case Admitted.Refused refused -> journal.add(did, refused.message(), "", line);
    }
  }

  private static String said(ProblemType type) {
    return type.status() + " " + type.code() + ". " + type.title() + ".";
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
      journal.add(did, said(problem.type()) + " " + problem.detail(), why(problem.type()), line);
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
    String id = doubtful.get().standing().id().toString();
    engine.resolve(
        doubtful.get().standing().id(),
        new Decision(Verdict.ABANDON, null, Then.WAIT, reason, who.name()));
    journal.add(
        did,
        "200, the attempt is cancelled and fenced",
        "A decision, not a guess: it is signed and kept, with its reason. In earnest it takes an"
            + " operator's key.",
        curl.act(
            "/v1/attempts/" + id + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"" + reason + "\"}"));
  }

  /** Waits until an attempt is in a state, or the job has ended; not for ever. */
  void awaitAttempt(Predicate<Attempt> wanted, Duration atMost) throws InterruptedException {
    long end = journal.millis() + atMost.toMillis();
    while (journal.millis() < end
        && !closing.getAsBoolean()
        && attempt(wanted).isEmpty()
        && !ended()) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Whether there is no job, or it has ended and none of its attempts is live. */
  boolean quiet() {
    return job == null || read().map(each -> each.standing()).filter(OnejobSide::quiet).isPresent();
  }

  private static boolean quiet(JobStanding standing) {
    return standing.state().terminal() && standing.live() == 0;
  }

  boolean ended() {
    return read().filter(each -> each.standing().state().terminal()).isPresent();
  }

  static AttemptState state(Attempt attempt) {
    return attempt.standing().state();
  }

  private Optional<Attempt> attempt(Predicate<Attempt> wanted) {
    return read().stream().flatMap(each -> each.attempts().stream()).filter(wanted).findFirst();
  }

  Optional<Job> read() {
    JobId id = job;
    return id == null ? Optional.empty() : engine.job(Access.of(who.owner()), id);
  }

  /** Leaves nothing on the desk: a run is over some time, whatever the providers were told. */
  void tidyUp() {
    Optional<Job> found = read();
    if (found.isEmpty()) {
      return;
    }
    Job left = found.get();
    if (left.standing().contested()) {
      engine.acknowledge(left.id(), Then.WAIT, "the playground's run is over", who.name());
    }
    if (quiet(left.standing())) {
      return;
    }
    JobState state = left.standing().state();
    if (!state.terminal()) {
      engine.cancel(Access.of(who.owner()), left.id());
    }
    left.attempts().stream()
        .filter(each -> state(each).live())
        .forEach(
            each ->
                engine.resolve(
                    each.standing().id(),
                    new Decision(
                        Verdict.ABANDON,
                        null,
                        Then.WAIT,
                        "the playground's run is over",
                        who.name())));
    journal.note(
        "The run is over, and the job was still " + state.word(),
        "The playground cancels it and abandons what is live, so that nothing stays on the desk. In"
            + " earnest this waits for evidence, a rule or a person.");
  }

  /** The last step: what the record of the job says. */
  void sayHowItEnded() {
    read().ifPresent(this::sayHowItEnded);
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
    Optional<Job> found = read();
    List<Bar> bars = found.map(each -> bars(each, admittedAt, wholeMillis)).orElseGet(List::of);
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

  private static boolean isDropped(Attempt attempt) {
    return state(attempt) == AttemptState.LOST
        || (state(attempt) == AttemptState.CANCELLED && !attempt.evidence().isEmpty());
  }

  private static List<Bar> bars(Job job, long offset, long wholeMillis) {
    List<Bar> bars = new ArrayList<>();
    for (Attempt each : job.attempts()) {
      Instant zero = job.createdAt();
      LinkedHashMap<String, Instant> begins = new LinkedHashMap<>();
      begins.put("starting", each.standing().startedAt());
      put(begins, "running", each.acceptedAt());
      put(begins, "unknown", each.unknownAt());
      List<Bar.Turn> turns =
          begins.entrySet().stream()
              .map(at -> new Bar.Turn(at.getKey(), offset + between(zero, at.getValue())))
              .sorted(Comparator.comparingLong(Bar.Turn::atMillis))
              .toList();
      long until = each.endedAt() == null ? wholeMillis : offset + between(zero, each.endedAt());
      List<Long> marks =
          each.evidence().stream()
              .map(Evidence::learnedAt)
              .map(at -> offset + between(zero, at))
              .toList();
      String label = "Attempt " + each.standing().number() + " at " + each.standing().provider();
      bars.add(Bar.of(label, state(each).word(), turns, until, marks, wholeMillis));
    }
    return bars;
  }

  private static void put(LinkedHashMap<String, Instant> all, String state, @Nullable Instant at) {
    if (at != null) {
      all.put(state, at);
    }
  }

  private static long between(Instant from, Instant to) {
    return Duration.between(from, to).toMillis();
  }
}
