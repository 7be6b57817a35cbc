package dev.onejob.server.http.wire;

import dev.onejob.domain.QualificationRun;
import dev.onejob.qualification.Plan;
import dev.onejob.server.qualification.Qualifier.Prospect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs of qualifications, and what runs would take. */
public final class QualificationWriter {
  private QualificationWriter() {}

  /** One run, with its report and transcript where they are read. */
  public static byte[] write(QualificationRun run) {
    return JsonOut.object(
        out -> {
          members(out, run);
          json(out, "report", run.report());
          json(out, "transcript", run.transcript());
        });
  }

  private static void json(JsonOut out, String name, @Nullable String text) {
    if (text == null) {
      out.nothing(name);
    } else {
      out.raw(name, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Runs, without reports and transcripts. */
  public static byte[] write(List<QualificationRun> runs) {
    return JsonOut.object(out -> out.list("runs", runs, QualificationWriter::members));
  }

  /** What runs would ask and take. */
  public static byte[] writeProspects(List<Prospect> prospects) {
    return JsonOut.object(out -> out.list("prospects", prospects, QualificationWriter::prospect));
  }

  private static void members(JsonOut out, QualificationRun run) {
    out.id("id", run.id());
    out.text("kind", run.subject().kind());
    out.text("provider", run.subject().provider());
    out.text("state", run.state().word());
    out.text("contract_hash", run.subject().contractHash());
    out.text("binding", run.subject().binding());
    out.text("requested_by", run.requestedBy());
    out.number("asked", run.asked());
    out.number("answered", run.answered());
    out.time("created_at", run.createdAt());
    out.time("ended_at", run.endedAt());
  }

  private static void prospect(JsonOut out, Prospect prospect) {
    out.text("kind", prospect.kind());
    out.text("provider", prospect.provider());
    out.member("estimate", prospect.estimate(), QualificationWriter::estimate);
    out.text("unusable", prospect.unusable());
  }

  private static void estimate(JsonOut out, Plan.Estimate estimate) {
    out.number("questions", estimate.asks());
    out.number("prompt_tokens", estimate.promptTokens());
    out.number("completion_tokens_max", estimate.completionTokens());
    out.member("price_max", estimate.price(), CostWriter::money);
  }
}
