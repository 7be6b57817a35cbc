package dev.onejob.server.http.operation;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobGlance;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.door.ChatChunks;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.door.DoorAnswer;
import dev.onejob.server.http.door.DoorRequest;
import dev.onejob.server.http.door.Places;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.request.SubmissionKey;
import dev.onejob.server.http.wire.OpenAiErrorWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /openai/v1/chat/completions} and {@code /openai/v1/responses}: the request becomes a
 * job, or finds the one that it has become before, and is answered when that is over.
 */
final class AskThroughDoor implements Operation {
  /**
   * Most requests behind the door at once, beside the calls of the rest of the API. A caller that
   * has gone is noticed only when something is written to it, so its place stays taken until then.
   */
  private static final int CALLS_MAX = 2_048;

  /** Of these at most for one owner: three others at their own bound still leave it as many. */
  private static final int CALLS_OF_AN_OWNER_MAX = CALLS_MAX / 4;

  /** How often a job is looked at for a doubt at least; its end is told at once. */
  private static final Duration LOOK_INTERVAL_MAX = Duration.ofSeconds(5);

  /** Each look is a query, of each request that waits. */
  private static final Duration LOOK_INTERVAL_MIN = Duration.ofMillis(250);

  private static final String SHOULD_RETRY = "x-should-retry";
  private static final byte[] STILL_AT_WORK =
      ": the job is still at work\n\n".getBytes(StandardCharsets.UTF_8);

  private final JobEngine engine;
  private final Door door;
  private final Door.Endpoint endpoint;
  private final Places places;

  private AskThroughDoor(JobEngine engine, Door door, Door.Endpoint endpoint, Places places) {
    this.engine = engine;
    this.door = door;
    this.endpoint = endpoint;
    this.places = places;
  }

  /** One operation for each endpoint, in the order of their declaration. */
  static List<AskThroughDoor> all(JobEngine engine, Door door) {
    Places places = new Places(CALLS_MAX, CALLS_OF_AN_OWNER_MAX);
    return List.of(Door.Endpoint.values()).stream()
        .map(endpoint -> new AskThroughDoor(engine, door, endpoint, places))
        .toList();
  }

  Door.Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException, InterruptedException {
    long arrived = System.nanoTime();
    switch (places.enter(caller.owner())) {
      case FULL ->
          throw later(
              ProblemType.OVERLOADED, "This node has " + CALLS_MAX + " requests behind its door.");
      case SHARE_USED ->
          throw later(
              ProblemType.OWNER_SHARE_USED,
              "This owner has "
                  + CALLS_OF_AN_OWNER_MAX
                  + " requests behind the OpenAI door of this node, and no owner has more.");
      case TAKEN -> {
        try {
          serve(ctx, caller, arrived);
        } finally {
          places.leave(caller.owner());
        }
      }
    }
  }

  /** Nothing was done: it can be sent again, with a key or without. */
  private static ProblemException later(ProblemType type, String why) {
    return Problem.of(type, why + " Nothing was done; try again.")
        .withHeader("Retry-After", "1")
        .asException();
  }

  private void serve(Context ctx, Credential caller, long arrived)
      throws IOException, InterruptedException {
    DoorRequest request = DoorRequest.read(door, endpoint, RequestBody.read(ctx.req()));
    boolean found = ctx.req().getHeaders(SubmissionKey.HEADER).hasMoreElements();
    boolean joins = found || door.keys() != null;
    if (!joins) {
      // Sent again it would be another job, whatever came of this one.
      ctx.res().setHeader(SHOULD_RETRY, "false");
    }
    IntentKey key = found ? SubmissionKey.of(ctx.req()) : made(caller, request);
    JobId id = admitted(ctx, request, submission(caller, key, request));
    long until = arrived + door.patience().toNanos();
    Waiting waiting = new Waiting(ctx, caller, id, joins, until);
    switch (request.form()) {
      case WHOLE -> waiting.answerWhole();
      case STREAM, STREAM_WITH_USAGE -> waiting.answerInStream(request.form());
    }
  }

  private IntentKey made(Credential caller, DoorRequest request) {
    return door.keys() == null ? Door.freshKey() : door.keys().of(caller.owner(), request.digest());
  }

  private static Submission submission(Credential caller, IntentKey key, DoorRequest request) {
    return new Submission(
        caller.owner(), key, request.kind(), request.body(), null, null, 0, List.of());
  }

  private JobId admitted(Context ctx, DoorRequest request, Submission submission) {
    JobId id =
        switch (engine.submit(submission)) {
          case Admitted.Created created -> created.id();
          case Admitted.Known known -> {
            ctx.res().setHeader("Idempotency-Replayed", "true");
            yield known.id();
          }
          case Admitted.DifferentIntent other -> {
            name(ctx, other.id());
            throw DoorAnswer.mismatch(other.id());
          }
          case Admitted.Refused refused ->
              throw Problem.of(ProblemType.ofCode(refused.code()), refused.message())
                  .with("pointer", refused.pointer())
                  .asException();
        };
    name(ctx, id);
    return id;
  }

  /** Official clients show the second one with each of their errors. */
  private static void name(Context ctx, JobId id) {
    ctx.res().setHeader("Onejob-Job-Id", id.toString());
    ctx.res().setHeader("x-request-id", id.toString());
  }

  /** One request that waits for the end of its job. */
  private final class Waiting {
    private final Context ctx;
    private final Credential caller;
    private final JobId id;
    private final boolean joins;
    private final long until;
    private @Nullable Long stuckSince;

    Waiting(Context ctx, Credential caller, JobId id, boolean joins, long until) {
      this.ctx = ctx;
      this.caller = caller;
      this.id = id;
      this.joins = joins;
      this.until = until;
    }

    void answerWhole() throws IOException, InterruptedException {
      JobGlance job;
      do {
        await(interval(door.doubtPatience()));
        job = job();
      } while (!isOver(job));
      Answers.ok(ctx, DoorAnswer.whole(job, joins));
    }

    /** What ends before the first silence is over is answered with a status of its own. */
    void answerInStream(DoorRequest.Form form) throws IOException, InterruptedException {
      Duration interval = interval(shorter(door.doubtPatience(), door.keepAlive()));
      long since = System.nanoTime();
      JobGlance job;
      do {
        await(interval);
        job = job();
      } while (!isOver(job) && !hasLasted(since, door.keepAlive()));
      if (isOver(job)) {
        List<byte[]> events = events(job, form);
        write(Answers.events(ctx), events);
      } else {
        keepAlive(Answers.events(ctx), interval, form);
      }
    }

    /** A stream that has begun never just ends: it would look like an answer without a word. */
    private void keepAlive(OutputStream out, Duration interval, DoorRequest.Form form)
        throws IOException, InterruptedException {
      List<byte[]> last;
      try {
        write(out, List.of(STILL_AT_WORK));
        long told = System.nanoTime();
        JobGlance job = job();
        while (!isOver(job)) {
          await(interval);
          job = job();
          if (hasLasted(told, door.keepAlive())) {
            write(out, List.of(STILL_AT_WORK));
            told = System.nanoTime();
          }
        }
        last = events(job, form);
      } catch (ProblemException e) {
        last = List.of(error(e.problem()));
      } catch (RuntimeException e) {
        write(out, List.of(error(DoorAnswer.outOfSight(id))));
        throw e;
      }
      write(out, last);
    }

    /** Whether there is something to tell: an end, what may need a person, or that time is up. */
    private boolean isOver(JobGlance job) {
      JobState state = job.standing().state();
      if (state != JobState.UNKNOWN && job.standing().waitingFor() == null) {
        stuckSince = null;
      } else if (stuckSince == null) {
        stuckSince = System.nanoTime();
      }
      return state.terminal()
          || !left().isPositive()
          || (stuckSince != null && hasLasted(stuckSince, door.doubtPatience()));
    }

    private static boolean hasLasted(long since, Duration least) {
      return System.nanoTime() - since >= least.toNanos();
    }

    private List<byte[]> events(JobGlance job, DoorRequest.Form form) {
      return ChatChunks.of(DoorAnswer.whole(job, joins), form)
          .orElseThrow(() -> DoorAnswer.unsuitable(job.id()));
    }

    /** The status has gone already; clients look for an error in the events, too. */
    private static byte[] error(Problem problem) {
      String error = new String(OpenAiErrorWriter.write(problem), StandardCharsets.UTF_8);
      return ("data: " + error + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    private static void write(OutputStream out, List<byte[]> events) throws IOException {
      for (byte[] event : events) {
        out.write(event);
      }
      out.flush();
    }

    private Duration left() {
      return Duration.ofNanos(until - System.nanoTime());
    }

    private void await(Duration atMost) throws InterruptedException {
      engine.awaitEnd(id, shorter(atMost, left()));
    }

    private JobGlance job() {
      return engine.glance(Guard.reach(caller), id).orElseThrow(Problem::notFound);
    }
  }

  private static Duration interval(Duration wanted) {
    Duration most = shorter(LOOK_INTERVAL_MAX, wanted);
    return most.compareTo(LOOK_INTERVAL_MIN) < 0 ? LOOK_INTERVAL_MIN : most;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
