package dev.onejob.server.config;

import dev.onejob.contract.Contract;
import dev.onejob.contract.Contracts;
import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Names;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import java.nio.file.Path;
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
  private final Path folder;
  private final Problems problems;

  /**
   * Makes one.
   *
   * @param folder what the paths of contracts start from
   */
  KindReader(YamlDocument yaml, Path folder, Problems problems) {
    this.yaml = yaml;
    this.folder = folder;
    this.problems = problems;
  }

  /** Empty if it breaks a rule; the problem is noted then. */
  Optional<Kind> read(String name, JsonNode kind) {
    String at = Pointers.child("/kinds", name);
    if (Names.isReserved(name)) {
      problems.add(yaml.problem(at, ProviderChecks.RESERVED));
      return Optional.empty();
    }
    checkTimeout(at, kind);
    try {
      Contract contract = contract(kind);
      return Optional.of(kind(name, kind, contract));
    } catch (IllegalArgumentException e) {
      problems.add(located(at, name, String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /** Null without one, and where it cannot be used; its problems are noted then. */
  private @Nullable Contract contract(JsonNode kind) {
    if (!kind.has("contract")) {
      return null;
    }
    String name = kind.path("contract").asString();
    Path beside = Path.of(yaml.file()).resolveSibling(name);
    try {
      return Contracts.read(beside.toString(), folder.resolve(name));
    } catch (ConfigException e) {
      problems.addAll(e.problems());
      return null;
    }
  }

  /** What the contract says counts where the kind says nothing. */
  private static WhenUnqualified whenUnqualified(JsonNode kind, @Nullable Contract contract) {
    if (kind.has("when_unqualified")) {
      return WhenUnqualified.of(kind.path("when_unqualified").asString());
    }
    WhenUnqualified promised = contract == null ? null : contract.terms().whenUnqualified();
    return promised == null ? WhenUnqualified.WAIT : promised;
  }

  private static Kind kind(String name, JsonNode kind, @Nullable Contract contract) {
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
        whenUnqualified(kind, contract),
        kind.path("in_flight").asInt(IN_FLIGHT),
        unknownRule(kind.path("unknown")),
        kind.path("park_after_crashes").asInt(Kind.PARK_AFTER_CRASHES),
        contract);
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
