package dev.onejob.server.http.wire;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobCost;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Result;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Jobs, whole and in lists. */
public final class JobWriter {
  /** What a job takes beside its payloads, roughly, so that the buffer seldom grows. */
  private static final int BYTES_BESIDE_PAYLOADS = 2_048;

  private JobWriter() {}

  /** The job with its payloads and attempts. */
  public static byte[] write(Job job) {
    return JsonOut.object(bytesExpected(job), out -> members(out, job));
  }

  /** Only the id, for callers who asked for no more. */
  public static byte[] writeId(JobId id) {
    return JsonOut.object(64, out -> out.id("id", id));
  }

  /** What the fallback button answers. */
  public static byte[] writeStarted(Attempt attempt, Job job) {
    return JsonOut.object(
        bytesExpected(job),
        out -> {
          out.member("attempt", attempt, AttemptWriter::members);
          out.member("job", job, JobWriter::members);
        });
  }

  /**
   * A page of a list.
   *
   * @param cursor of the next page; null at the end
   */
  public static byte[] writePage(Job.Page page, @Nullable String cursor) {
    return JsonOut.object(
        out -> {
          out.list("jobs", page.jobs(), (each, job) -> listed(each, job, page.paid(job.id())));
          out.text("next_cursor", cursor);
        });
  }

  private static int bytesExpected(Job job) {
    Result result = job.result();
    return BYTES_BESIDE_PAYLOADS
        + (job.input() == null ? 0 : job.input().length)
        + (result == null ? 0 : result.bytes().length);
  }

  private static void members(JsonOut out, Job job) {
    out.id("id", job.id());
    out.id("owner", job.owner());
    out.id("key", job.key());
    out.text("kind", job.kind());
    out.text("effect", job.effect().word());
    standing(out, job.standing());
    out.number("priority", job.priority());
    out.texts("tags", job.tags());
    out.time("created_at", job.createdAt());
    out.time("ended_at", job.endedAt());
    input(out, job.input());
    result(out, job.result());
    out.time("payload_emptied_at", job.payloadEmptiedAt());
    out.member("cost", job.cost(), CostWriter::job);
    out.list("attempts", job.attempts(), AttemptWriter::members);
    out.list("resolutions", job.resolutions(), AttemptWriter::resolution);
    out.list("skipped", job.skips(), ProofWriter::skip);
  }

  private static void listed(JsonOut out, Job.Summary job, JobCost.Paid paid) {
    summary(out, job);
    out.member("cost", paid, CostWriter::paid);
  }

  static void summary(JsonOut out, Job.Summary job) {
    out.id("id", job.id());
    out.id("owner", job.owner());
    out.id("key", job.key());
    out.text("kind", job.kind());
    standing(out, job.standing());
    out.number("priority", job.priority());
    out.texts("tags", job.tags());
    out.time("created_at", job.createdAt());
    out.time("ended_at", job.endedAt());
  }

  private static void standing(JsonOut out, JobStanding standing) {
    out.text("state", standing.state().word());
    out.text("waiting_for", standing.waitingFor() == null ? null : standing.waitingFor().word());
    out.truth("contested", standing.contested());
    out.number("version", standing.version());
    out.texts("route", standing.route());
    out.text("goes_on_at", standing.state() == JobState.QUEUED ? standing.goesOnAt() : null);
    out.time("run_at", standing.runAt());
    out.time("deadline", standing.deadline());
    out.time("cancel_requested_at", standing.cancelRequestedAt());
    out.number("attempts_started", standing.attemptsStarted());
    out.number("attempts_allowed", standing.attemptsAllowed());
    out.id("completed_by", standing.completedBy());
    out.member("failure", standing.failure(), AttemptWriter::failure);
  }

  private static void input(JsonOut out, byte @Nullable [] input) {
    if (input == null) {
      out.nothing("input");
    } else {
      out.raw("input", input);
    }
  }

  private static void result(JsonOut out, @Nullable Result result) {
    if (result == null) {
      out.nothing("result");
      out.nothing("result_format");
      return;
    }
    switch (result.format()) {
      case JSON -> out.raw("result", result.bytes());
      case TEXT -> out.text("result", new String(result.bytes(), StandardCharsets.UTF_8));
    }
    out.text("result_format", result.format().word());
  }
}
