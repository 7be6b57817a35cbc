package dev.onejob.server.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Jobs as people read them. */
final class JobText {
  private static final String ROW = "%-32s %-10s %-20s %-28s %-16s %s";

  private JobText() {}

  static String path(String id) {
    return "/v1/jobs/" + encoded(id);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static boolean ended(JsonNode job) {
    return List.of("succeeded", "failed", "cancelled").contains(word(job, "state"));
  }

  static int exitCode(JsonNode job) {
    return switch (word(job, "state")) {
      case "succeeded" -> ExitCode.OK;
      case "failed" -> ExitCode.JOB_FAILED;
      case "cancelled" -> ExitCode.JOB_CANCELLED;
      default -> ExitCode.JOB_NOT_ENDED;
    };
  }

  /** One line for the job, one for each attempt, and what to do about a doubt. */
  static String progress(JsonNode job) {
    String attempts =
        job.path("attempts")
            .valueStream()
            .map(attempt -> "\n  " + attempt(attempt))
            .collect(Collectors.joining());
    return word(job, "id")
        + " "
        + standing(job)
        + attempts
        + skipped(job)
        + CostText.job(job)
        + advice(job);
  }

  /** Whom the job was not given to by itself, and why. */
  private static String skipped(JsonNode job) {
    return job.path("skipped")
        .valueStream()
        .map(skip -> "\n  passed over " + word(skip, "provider") + ": " + word(skip, "says"))
        .collect(Collectors.joining());
  }

  private static String standing(JsonNode job) {
    String waiting = word(job, "waiting_for");
    return word(job, "state")
        + (waiting.isEmpty() ? "" : ", waits for " + waiting)
        + (job.path("contested").asBoolean(false) ? ", contested" : "")
        + (job.path("cancel_requested_at").isString() ? ", cancel asked" : "")
        + failure(job);
  }

  static String attempt(JsonNode attempt) {
    return "attempt "
        + attempt.path("number").asInt(0)
        + " at "
        + word(attempt, "provider")
        + ": "
        + word(attempt, "state")
        + failure(attempt)
        + CostText.attempt(attempt);
  }

  private static String failure(JsonNode of) {
    JsonNode failure = of.path("failure");
    return failure.isObject()
        ? " (" + word(failure, "code") + ": " + word(failure, "message") + ")"
        : "";
  }

  private static String advice(JsonNode job) {
    if (job.path("contested").asBoolean(false)) {
      return "\n  an ended attempt acted after all; to go on:"
          + " onejob acknowledge "
          + word(job, "id")
          + " --reason …";
    }
    return job.path("attempts")
        .valueStream()
        .filter(attempt -> word(attempt, "state").equals("unknown"))
        .map(
            attempt ->
                "\n  in doubt; when it is known what became of it:"
                    + " onejob resolve "
                    + word(attempt, "id")
                    + " --verdict … --reason …")
        .collect(Collectors.joining());
  }

  static String header() {
    return ROW.formatted("JOB", "STATE", "KIND", "CREATED", "PAID", "KEY");
  }

  static String row(JsonNode job) {
    String waiting = word(job, "waiting_for");
    return ROW.formatted(
        word(job, "id"),
        word(job, "state"),
        word(job, "kind"),
        word(job, "created_at"),
        CostText.paid(job.path("cost")),
        word(job, "key") + (waiting.isEmpty() ? "" : "  (waits for " + waiting + ")"));
  }

  static String word(JsonNode of, String member) {
    return of.path(member).asString("").replaceAll("\\R", " ");
  }
}
