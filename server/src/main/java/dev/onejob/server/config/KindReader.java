package dev.onejob.server.config;

import dev.onejob.document.ConfigProblem;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads kinds, and says where a rule between their settings is broken. */
final class KindReader {
  private static final Duration ATTEMPT_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LATE_ANSWER_LIMIT = Duration.ofMinutes(10);
  private static final int ATTEMPTS = 3;
  private static final Duration BACKOFF_FIRST = Duration.ofSeconds(1);
  private static final Duration BACKOFF_MAX = Duration.ofMinutes(1);
  private static final int IN_FLIGHT = 64;

  private final YamlDocument yaml;
  private final Problems problems;

  KindReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** Empty if it breaks a rule; the problem is noted then. */
  Optional<Kind> read(String name, JsonNode kind) {
    String at = Pointers.child("/kinds", name);
    checkTimeout(at, kind);
    try {
      return Optional.of(kind(name, kind));
    } catch (IllegalArgumentException e) {
      problems.add(located(at, name, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private static Kind kind(String name, JsonNode kind) {
    return new Kind(
        name,
        Effect.of(kind.path("effect").asString(Effect.EXCLUSIVE.word())),
        kind.path("route").valueStream().map(JsonNode::asString).toList(),
        duration(kind, "/attempt_timeout", ATTEMPT_TIMEOUT),
        duration(kind, "/late_answer_limit", LATE_ANSWER_LIMIT),
        kind.path("attempts").asInt(ATTEMPTS),
        backoff(kind),
        optional(kind, "/race/after"),
        optional(kind, "/deadline"),
        WhenUnqualified.of(kind.path("when_unqualified").asString(WhenUnqualified.WAIT.word())),
        kind.path("in_flight").asInt(IN_FLIGHT),
        unknownRule(kind.path("unknown")),
        null);
  }

  private static @Nullable UnknownRule unknownRule(JsonNode unknown) {
    return unknown.isObject()
        ? new UnknownRule(
            duration(unknown, "/after", Duration.ZERO),
            Verdict.of(unknown.path("verdict").asString()),
            Then.of(unknown.path("then").asString(Then.WAIT.word())))
        : null;
  }

  /** Whoever sets only one of the two means the other to follow. */
  private static RetryPolicy backoff(JsonNode kind) {
    Duration first = optional(kind, "/backoff/first");
    Duration max = optional(kind, "/backoff/max");
    if (first == null) {
      first = max != null && max.compareTo(BACKOFF_FIRST) < 0 ? max : BACKOFF_FIRST;
    }
    if (max == null) {
      max = first.compareTo(BACKOFF_MAX) > 0 ? first : BACKOFF_MAX;
    }
    return new RetryPolicy(first, max);
  }

  private void checkTimeout(String at, JsonNode kind) {
    Duration timeout = duration(kind, "/attempt_timeout", ATTEMPT_TIMEOUT);
    if (timeout.compareTo(Limits.ATTEMPT_TIMEOUT_MAX) > 0) {
      problems.add(yaml.problem(at + "/attempt_timeout", "expected at most 1d"));
    }
  }

  private static Duration duration(JsonNode kind, String pointer, Duration otherwise) {
    Duration read = optional(kind, pointer);
    return read == null ? otherwise : read;
  }

  private static @Nullable Duration optional(JsonNode kind, String pointer) {
    return DurationText.parse(kind.at(pointer).asString("")).orElse(null);
  }

  /** The rules name a kind and a setting ("kind demo: race.after: …"); this finds their place. */
  private ConfigProblem located(String at, String name, String message) {
    String bare =
        message.startsWith("kind " + name + ": ")
            ? message.substring(("kind " + name + ": ").length())
            : message;
    int colon = bare.indexOf(": ");
    return colon < 0
        ? yaml.problem(at, bare)
        : yaml.problem(
            at + "/" + bare.substring(0, colon).replace('.', '/'), bare.substring(colon + 2));
  }
}
