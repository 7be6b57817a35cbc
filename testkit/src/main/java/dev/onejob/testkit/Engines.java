package dev.onejob.testkit;

import dev.onejob.domain.Effect;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.Submission;
import dev.onejob.provider.Provider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Engines, kinds and submissions with settings that suit tests. */
public final class Engines {
  /** The owner of {@link #submission}. */
  public static final Owner OWNER = new Owner("tester");

  /** Short leases, and no patience when a node stops. */
  public static final EngineConfig.Holding HOLDING =
      new EngineConfig.Holding(Duration.ofSeconds(3), Duration.ofMillis(400), Duration.ZERO, 256);

  private Engines() {}

  /** A kind that must not act twice, with a short timeout and little patience. */
  public static Kind exclusive(String name, String... route) {
    return kind(name, Effect.EXCLUSIVE, List.of(route));
  }

  /** A kind whose duplicates are harmless; races from the first moment that the guard allows. */
  public static Kind racing(String name, String... route) {
    Kind kind = kind(name, Effect.HARMLESS, List.of(route));
    return new Kind(
        kind.name(),
        kind.effect(),
        kind.route(),
        kind.attemptTimeout(),
        kind.lateAnswerLimit(),
        kind.attemptsAllowed(),
        kind.retry(),
        Duration.ofMillis(50),
        null,
        kind.whenUnqualified(),
        kind.inFlightMax());
  }

  /**
   * A kind whose jobs go on from every doubt, after that time: its attempts are started together
   * with their jobs.
   */
  public static Kind goingOn(String name, Duration after, String... route) {
    return kind(name, Effect.HARMLESS, List.of(route))
        .with(new UnknownRule(after, Verdict.ABANDON, Then.RETRY));
  }

  /**
   * The same kind, whose attempts have a minute: for tests in which an answer is to come in time,
   * or none at all, however busy the machine is.
   */
  public static Kind patient(Kind kind) {
    return new Kind(
        kind.name(),
        kind.effect(),
        kind.route(),
        Duration.ofMinutes(1),
        kind.lateAnswerLimit(),
        kind.attemptsAllowed(),
        kind.retry(),
        kind.raceAfter(),
        kind.deadline(),
        kind.whenUnqualified(),
        kind.inFlightMax(),
        kind.unknownRule(),
        kind.parkAfterCrashes(),
        kind.contract());
  }

  private static Kind kind(String name, Effect effect, List<String> route) {
    return new Kind(
        name,
        effect,
        route,
        Duration.ofSeconds(1),
        Duration.ofSeconds(20),
        3,
        new RetryPolicy(Duration.ofMillis(10), Duration.ofMillis(50)),
        null,
        null,
        WhenUnqualified.WAIT,
        64);
  }

  /** A node with these kinds and providers, 64 slots, and frequent polls and sweeps. */
  public static EngineConfig config(List<Kind> kinds, Map<String, Provider> providers) {
    return new EngineConfig(
            "test",
            kinds,
            providers.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey, e -> new EngineConfig.ProviderSlot(e.getValue(), 64))),
            64,
            Duration.ofMillis(100),
            Duration.ofMillis(200))
        .with(HOLDING);
  }

  /** A submission of {@link #OWNER} without extras. */
  public static Submission submission(String key, String kind, String input) {
    return new Submission(
        OWNER,
        new IntentKey(key),
        kind,
        input.getBytes(StandardCharsets.UTF_8),
        null,
        null,
        0,
        List.of());
  }
}
