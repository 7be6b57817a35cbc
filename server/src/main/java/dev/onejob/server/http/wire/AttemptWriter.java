package dev.onejob.server.http.wire;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Basis;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Probing;
import dev.onejob.domain.Report;
import dev.onejob.domain.Resolution;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Attempts. */
public final class AttemptWriter {
  private AttemptWriter() {}

  /**
   * The attempt by itself.
   *
   * @param brokenAnswer the beginning of the answer that broke its contract, while it is kept
   */
  public static byte[] write(Attempt attempt, Optional<byte[]> brokenAnswer) {
    return JsonOut.object(
        out -> {
          members(out, attempt);
          out.text(
              "broken_answer",
              brokenAnswer.map(utf8 -> new String(utf8, StandardCharsets.UTF_8)).orElse(null));
        });
  }

  /**
   * How the attempt stands, after something was said about it.
   *
   * @param lostTo the winner, if it was lost
   * @param broken what its result broke, if it failed for that
   */
  public static byte[] standing(
      AttemptId id,
      AttemptState state,
      @Nullable AttemptId lostTo,
      ContractVerdict.@Nullable Broken broken) {
    return JsonOut.object(
        out -> {
          out.id("id", id);
          out.text("state", state.word());
          out.id("lost_to", lostTo);
          out.list(
              "breaches", broken == null ? List.of() : broken.breaches(), BreachWriter::breach);
        });
  }

  static void members(JsonOut out, Attempt attempt) {
    AttemptStanding standing = attempt.standing();
    out.id("id", standing.id());
    out.id("job_id", attempt.jobId());
    out.number("number", standing.number());
    out.text("provider", standing.provider());
    out.text("state", standing.state().word());
    out.text("cause", attempt.cause().word());
    out.text("unqualified", attempt.unqualified() == null ? null : attempt.unqualified().word());
    out.number("job_version", standing.jobVersion());
    out.text("provider_key", attempt.providerKey());
    out.text("provider_ref", attempt.providerRef());
    out.text("node", attempt.node());
    out.text("worker", attempt.worker());
    out.time("lease_until", attempt.leaseUntil());
    out.time("started_at", standing.startedAt());
    out.time("accepted_at", attempt.acceptedAt());
    out.time("unknown_at", attempt.unknownAt());
    out.time("ended_at", attempt.endedAt());
    out.text("ending", standing.ending() == null ? null : standing.ending().word());
    out.member("failure", attempt.failure(), AttemptWriter::failure);
    out.id("lost_to", attempt.lostTo());
    out.member("report", standing.report(), AttemptWriter::report);
    CostWriter.attempt(out, attempt);
    out.list("resolutions", attempt.resolutions(), AttemptWriter::resolution);
    out.member("probing", attempt.probing(), AttemptWriter::probing);
    out.list("evidence", attempt.evidence(), AttemptWriter::evidence);
    out.member("contract_breach", attempt.breach(), BreachWriter::contractBreach);
  }

  static void failure(JsonOut out, Failure failure) {
    out.text("code", failure.code());
    out.text("message", failure.message());
  }

  private static void report(JsonOut out, Report report) {
    out.text("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
    out.text("digest", report.digest());
    out.number("bytes", report.bytes());
  }

  static void resolution(JsonOut out, Resolution resolution) {
    out.text("verdict", resolution.verdict());
    out.text("then", resolution.then() == null ? null : resolution.then().word());
    out.text("reason", resolution.reason());
    out.text("decided_by", resolution.decidedBy());
    out.time("decided_at", resolution.decidedAt());
    out.member("basis", resolution.basis(), AttemptWriter::basis);
  }

  private static void basis(JsonOut out, Basis basis) {
    out.text("state", basis.state());
    out.time("since", basis.since());
    out.member("failure", basis.failure(), AttemptWriter::failure);
    out.list("evidence", basis.evidence(), AttemptWriter::evidence);
  }

  private static void probing(JsonOut out, Probing probing) {
    out.number("asked", probing.asked());
    out.time("next_at", probing.nextAt());
    out.time("before", probing.before());
    out.text("ended", probing.ended());
  }

  private static void evidence(JsonOut out, Evidence evidence) {
    out.text("source", evidence.source());
    out.text("strength", evidence.strength());
    out.text("says", evidence.says());
    out.text("digest", evidence.digest());
    out.number("bytes", evidence.bytes());
    out.time("learned_at", evidence.learnedAt());
    out.number("times", evidence.times());
    out.time("last_at", evidence.lastAt());
  }
}
