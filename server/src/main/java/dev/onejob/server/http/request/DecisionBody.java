package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.engine.Decision;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a resolution, and what an acknowledgement has in common with it. */
public final class DecisionBody {
  private static final Set<String> MEMBERS =
      Set.of("verdict", "result", "result_format", "then", "reason");

  private DecisionBody() {}

  /** Reads a resolution. */
  public static Decision read(byte[] body, String decidedBy) {
    Members members = Members.read(body, MEMBERS);
    Verdict verdict =
        Members.required("verdict", members.word("verdict", Verdict.values(), Verdict::word));
    return new Decision(
        verdict, result(members, verdict), then(members, verdict), reason(members), decidedBy);
  }

  /** How the job goes on; null: as is usual. */
  public static @Nullable Then then(Members members) {
    return members.word("then", Then.values(), Then::word);
  }

  /** Why. */
  public static String reason(Members members) {
    String reason = Members.required("reason", members.text("reason"));
    int chars = reason.codePointCount(0, reason.length());
    if (reason.isBlank() || chars > Limits.REASON_CHARS_MAX) {
      throw Problem.field(
          "/reason",
          "A reason has 1 to " + Limits.REASON_CHARS_MAX + " characters, not all blank.");
    }
    return reason;
  }

  private static @Nullable Then then(Members members, Verdict verdict) {
    Then then = then(members);
    boolean fits =
        switch (verdict) {
          case NOT_DONE, ABANDON -> true;
          case DONE, STILL_RUNNING -> then == null;
        };
    if (!fits) {
      throw Problem.field("/then", "The verdict " + verdict.word() + " leaves nothing to choose.");
    }
    return then;
  }

  private static @Nullable Result result(Members members, Verdict verdict) {
    byte[] bytes = members.bytes("result");
    Result.Format format =
        members.word("result_format", Result.Format.values(), Result.Format::word);
    if (verdict != Verdict.DONE) {
      requireAbsent("/result", bytes);
      requireAbsent("/result_format", format);
      return null;
    }
    byte[] given = Members.required("result", bytes);
    Result result =
        format == Result.Format.TEXT ? text(members) : new Result(Result.Format.JSON, given);
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      throw Problem.of(
              ProblemType.RESULT_TOO_LARGE,
              "A result has at most " + Limits.RESULT_BYTES_MAX + " bytes.")
          .with("pointer", "/result")
          .asException();
    }
    return result;
  }

  private static Result text(Members members) {
    String text = Members.required("result", members.text("result"));
    return new Result(Result.Format.TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void requireAbsent(String pointer, @Nullable Object value) {
    if (value != null) {
      throw Problem.field(pointer, "Only the verdict done brings a result.");
    }
  }
}
