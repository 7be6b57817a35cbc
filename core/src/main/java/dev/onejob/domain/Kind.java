package dev.onejob.domain;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named type of job with its settings.
 *
 * @param route providers in order of preference; not empty
 * @param attemptTimeout after which an attempt without an answer is in doubt
 * @param lateAnswerLimit how long after the timeout the line is still read for a late answer
 * @param attemptsAllowed attempts of one job, all providers together
 * @param raceAfter see {@link JobStanding#raceAfter}; only for {@link Effect#HARMLESS}
 * @param deadline default time from admission after which nothing new starts; null: none
 * @param inFlightMax attempts of this kind at once on one node
 * @param unknownRule what ends a doubt by itself; only for {@link Effect#HARMLESS}; null: nothing
 * @param parkAfterCrashes after how many attempts of a job that ended with the loss of their holder
 *     it is not tried again by itself, but waits for a decision; at least 1
 * @param contract what every result must be before it may claim the slot; null: anything
 */
public record Kind(
    String name,
    Effect effect,
    List<String> route,
    Duration attemptTimeout,
    Duration lateAnswerLimit,
    int attemptsAllowed,
    RetryPolicy retry,
    @Nullable Duration raceAfter,
    @Nullable Duration deadline,
    WhenUnqualified whenUnqualified,
    int inFlightMax,
    @Nullable UnknownRule unknownRule,
    int parkAfterCrashes,
    @Nullable KindContract contract) {
  /**
   * Once may be bad luck. It is less than the usual number of attempts, of which the last would
   * leave nothing to decide about.
   */
  public static final int PARK_AFTER_CRASHES = 2;

  /**
   * A kind whose doubts end by evidence or a person only, that parks its jobs after the usual
   * number of crashes, and whose results may be anything.
   */
  public Kind(
      String name,
      Effect effect,
      List<String> route,
      Duration attemptTimeout,
      Duration lateAnswerLimit,
      int attemptsAllowed,
      RetryPolicy retry,
      @Nullable Duration raceAfter,
      @Nullable Duration deadline,
      WhenUnqualified whenUnqualified,
      int inFlightMax) {
    this(
        name,
        effect,
        route,
        attemptTimeout,
        lateAnswerLimit,
        attemptsAllowed,
        retry,
        raceAfter,
        deadline,
        whenUnqualified,
        inFlightMax,
        null,
        PARK_AFTER_CRASHES,
        null);
  }

  /**
   * Checks what must hold between the settings.
   *
   * @throws IllegalArgumentException naming the kind and the setting
   */
  public Kind {
    Names.checked("kind", name);
    route = List.copyOf(route);
    route.forEach(provider -> Names.checked("kind " + name + ": route: provider", provider));
    require(!route.isEmpty(), name, "route: needs at least one provider");
    require(
        route.size() <= Limits.ROUTE_PROVIDERS_MAX,
        name,
        "route: at most " + Limits.ROUTE_PROVIDERS_MAX + " providers");
    require(route.stream().distinct().count() == route.size(), name, "route: a provider twice");
    require(
        raceAfter == null || effect == Effect.HARMLESS,
        name,
        "race: only a kind with effect harmless may race");
    require(attemptTimeout.isPositive(), name, "attempt_timeout: must be positive");
    require(
        raceAfter == null || raceAfter.compareTo(attemptTimeout) < 0,
        name,
        "race.after: must be shorter than attempt_timeout");
    require(
        attemptsAllowed >= 1 && attemptsAllowed <= Limits.ATTEMPTS_ALLOWED_MAX,
        name,
        "attempts: 1 to " + Limits.ATTEMPTS_ALLOWED_MAX);
    require(inFlightMax >= 1, name, "in_flight: at least 1");
    require(
        parkAfterCrashes >= 1 && parkAfterCrashes <= Limits.ATTEMPTS_ALLOWED_MAX,
        name,
        "park_after_crashes: 1 to " + Limits.ATTEMPTS_ALLOWED_MAX);
    require(unknownRule == null || effect == Effect.HARMLESS, name, "unknown: " + noRule(effect));
  }

  private static String noRule(Effect effect) {
    return switch (effect) {
      case EXCLUSIVE ->
          "a kind with effect exclusive has no rule: its doubts end by evidence or a person";
      case KEYED ->
          "a rule of a kind with effect keyed may only replay the same attempt, never abandon it"
              + " for another; rules that replay do not exist yet";
      case HARMLESS -> "";
    };
  }

  /**
   * Whether its jobs go on by themselves when their first attempt is left in doubt by a node that
   * died, as its operator has written down: a rule tries again, and neither the number of attempts
   * nor that of crashes stands against it. Only an attempt of such a kind is started together with
   * its job: a node that dies just then leaves it in doubt, where it would leave a job of another
   * kind queued.
   */
  public boolean goesOnFromDoubt() {
    return unknownRule != null
        && unknownRule.then() == Then.RETRY
        && attemptsAllowed > 1
        && parkAfterCrashes > 1;
  }

  /** The same kind with a rule that ends its doubts. */
  public Kind with(UnknownRule rule) {
    return new Kind(
        name,
        effect,
        route,
        attemptTimeout,
        lateAnswerLimit,
        attemptsAllowed,
        retry,
        raceAfter,
        deadline,
        whenUnqualified,
        inFlightMax,
        rule,
        parkAfterCrashes,
        contract);
  }

  /** The same kind with a contract. */
  public Kind with(KindContract promised) {
    return new Kind(
        name,
        effect,
        route,
        attemptTimeout,
        lateAnswerLimit,
        attemptsAllowed,
        retry,
        raceAfter,
        deadline,
        whenUnqualified,
        inFlightMax,
        unknownRule,
        parkAfterCrashes,
        promised);
  }

  private static void require(boolean holds, String kind, String what) {
    if (!holds) {
      throw new IllegalArgumentException("kind " + kind + ": " + what);
    }
  }

  /** The rules that are fixed for a job of this kind when it is admitted. */
  public JobStanding.KindRules rules() {
    return new JobStanding.KindRules(attemptsAllowed, raceAfter, whenUnqualified);
  }
}
