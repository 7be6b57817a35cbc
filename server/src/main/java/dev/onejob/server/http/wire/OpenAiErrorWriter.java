package dev.onejob.server.http.wire;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import org.jspecify.annotations.Nullable;

/** Problems in the form in which OpenAI's API tells errors, as its official clients read it. */
public final class OpenAiErrorWriter {
  private static final String JOB_ID = "job_id";

  private OpenAiErrorWriter() {}

  /** The document: an object with the one member {@code error}. */
  public static byte[] write(Problem problem) {
    return JsonOut.object(out -> out.member("error", problem, OpenAiErrorWriter::error));
  }

  private static void error(JsonOut out, Problem problem) {
    out.text("message", problem.detail());
    out.text("type", type(problem.type()));
    out.text("param", param(problem));
    out.text("code", code(problem.type()));
    if (problem.extensions().containsKey(JOB_ID)) {
      out.id(JOB_ID, problem.extensions().get(JOB_ID));
    }
  }

  private static String type(ProblemType type) {
    return switch (type) {
      case JOB_FAILED, JOB_CANCELLED, JOB_IN_DOUBT, JOB_UNFINISHED, RESULT_UNSUITABLE ->
          "job_error";
      case OWNER_SHARE_USED -> "rate_limit_error";
      default -> type.isOurFault() ? "server_error" : "invalid_request_error";
    };
  }

  /** As the other API says it where it has a word for it. */
  private static String code(ProblemType type) {
    return type == ProblemType.UNAUTHORIZED ? "invalid_api_key" : type.code().replace('-', '_');
  }

  /** Clients know members by name, problems by place. */
  private static @Nullable String param(Problem problem) {
    Object pointer = problem.extensions().get("pointer");
    return pointer == null || pointer.toString().isEmpty()
        ? null
        : pointer.toString().substring(1).replace('/', '.');
  }
}
