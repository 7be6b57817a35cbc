package dev.onejob.server.cli;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What waits for a person, as people read it. */
final class DeskText {
  private DeskText() {}

  /** A line that says what and since when, then why, the evidence, and what can be decided. */
  static String item(JsonNode item) {
    JsonNode job = item.path("job");
    String head =
        "%s %s for %s: %s (%s), owner %s, key %s"
            .formatted(
                JobText.word(job, "id"),
                reason(JobText.word(item, "because")),
                age(item.path("age_seconds").asLong(0)),
                JobText.word(job, "kind"),
                JobText.word(item, "effect"),
                JobText.word(job, "owner"),
                JobText.word(job, "key"));
    return Stream.of(
            Stream.of(head),
            attempt(item.path("attempt")),
            item.path("choices").valueStream().map(DeskText::choice))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n  "));
  }

  private static String reason(String because) {
    return switch (because) {
      case "in_doubt" -> "in doubt";
      case "contested" -> "contested";
      case "decision" -> "waits for a decision";
      default -> because;
    };
  }

  private static String age(long seconds) {
    Duration age = Duration.ofSeconds(seconds);
    if (age.toDays() > 0) {
      return age.toDays() + "d " + age.toHoursPart() + "h";
    }
    if (age.toHours() > 0) {
      return age.toHours() + "h " + age.toMinutesPart() + "m";
    }
    return age.toMinutes() > 0
        ? age.toMinutes() + "m " + age.toSecondsPart() + "s"
        : age.toSeconds() + "s";
  }

  private static Stream<String> attempt(JsonNode attempt) {
    return attempt.isObject()
        ? Stream.concat(
            Stream.of(JobText.word(attempt, "id") + ", " + JobText.attempt(attempt)),
            attempt
                .path("evidence")
                .valueStream()
                .map(
                    each ->
                        "evidence: "
                            + JobText.word(each, "source")
                            + " ("
                            + JobText.word(each, "strength")
                            + ") says "
                            + JobText.word(each, "says")))
        : Stream.empty();
  }

  private static String choice(JsonNode choice) {
    String then = JobText.word(choice, "then");
    String provider = JobText.word(choice, "provider");
    String waiting = JobText.word(choice, "waiting_for");
    return "- "
        + JobText.word(choice, "act")
        + (provider.isEmpty() ? "" : " at " + provider)
        + (then.isEmpty() ? "" : ", then " + then)
        + ": the job becomes "
        + JobText.word(choice, "job_becomes")
        + (waiting.isEmpty() ? "" : ", waits for " + waiting);
  }
}
