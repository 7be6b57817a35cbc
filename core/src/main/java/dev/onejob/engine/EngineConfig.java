package dev.onejob.engine;

import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Prices;
import dev.onejob.provider.Provider;
import dev.onejob.provider.PulledProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node is told when it starts.
 *
 * @param node its name, for people; need not be unique
 * @param kinds the kinds it runs
 * @param providers by name; every provider on a route must be among them
 * @param slots attempts at once, all kinds together
 * @param pollInterval how often it looks for due jobs when nothing wakes it
 * @param sweepInterval how often it looks for lapsed leases, deadlines, and doubts to end by rule
 * @param holding how it holds on to its attempts
 * @param retention how long what has ended is kept
 * @param demands what the kinds with a contract demand of their providers, by kind
 * @param callbackDoor where providers call back; null: they are given no address
 */
public record EngineConfig(
    String node,
    List<Kind> kinds,
    Map<String, ProviderSlot> providers,
    int slots,
    Duration pollInterval,
    Duration sweepInterval,
    Holding holding,
    RetentionRules retention,
    Map<String, Demand> demands,
    @Nullable CallbackDoor callbackDoor) {

  /** Longest name of a node, in characters; the attempts keep it. */
  private static final int NODE_CHARS_MAX = 128;

  /**
   * Checks the settings, and that every provider on a route is known.
   *
   * @throws IllegalArgumentException naming the setting, or the kind and the provider
   */
  public EngineConfig {
    if (node.isEmpty() || node.length() > NODE_CHARS_MAX) {
      throw new IllegalArgumentException("node: 1 to " + NODE_CHARS_MAX + " characters");
    }
    if (!pollInterval.isPositive() || !sweepInterval.isPositive()) {
      throw new IllegalArgumentException("poll and sweep intervals must be positive");
    }
    kinds = List.copyOf(kinds);
    providers = Map.copyOf(providers);
    demands = Map.copyOf(demands);
    for (Kind kind : kinds) {
      for (String provider : kind.route()) {
        if (!providers.containsKey(provider)) {
          throw new IllegalArgumentException(
              "kind " + kind.name() + ": route: no provider is named " + provider);
        }
      }
    }
    if (slots < 1) {
      throw new IllegalArgumentException("slots: at least 1");
    }
  }

  /**
   * The kind, as this node can judge results of its jobs.
   *
   * @param contracted whether the job was admitted under a contract
   * @return null: this node does not know the kind, or not the contract
   */
  @Nullable Kind judging(String kind, boolean contracted) {
    return contracted && !demands.containsKey(kind)
        ? null
        : kinds.stream().filter(each -> each.name().equals(kind)).findFirst().orElse(null);
  }

  /** The same with other providers, under the same names. */
  public EngineConfig withProviders(Map<String, ProviderSlot> others) {
    return new EngineConfig(
        node,
        kinds,
        others,
        slots,
        pollInterval,
        sweepInterval,
        holding,
        retention,
        demands,
        callbackDoor);
  }

  /**
   * A node that holds on to its attempts by {@link Holding#DEFAULT}, and keeps what has ended for
   * the usual time.
   */
  public EngineConfig(
      String node,
      List<Kind> kinds,
      Map<String, ProviderSlot> providers,
      int slots,
      Duration pollInterval,
      Duration sweepInterval) {
    this(
        node,
        kinds,
        providers,
        slots,
        pollInterval,
        sweepInterval,
        Holding.DEFAULT,
        RetentionRules.USUAL,
        Map.of(),
        /* callbackDoor= */ null);
  }

  /** The same node with another way to hold on to its attempts. */
  public EngineConfig with(Holding other) {
    return new EngineConfig(
        node,
        kinds,
        providers,
        slots,
        pollInterval,
        sweepInterval,
        other,
        retention,
        demands,
        callbackDoor);
  }

  /** The same node whose providers call back there. */
  public EngineConfig with(@Nullable CallbackDoor other) {
    return new EngineConfig(
        node,
        kinds,
        providers,
        slots,
        pollInterval,
        sweepInterval,
        holding,
        retention,
        demands,
        other);
  }

  /** The same node that keeps what has ended for another time. */
  public EngineConfig with(RetentionRules other) {
    return new EngineConfig(
        node,
        kinds,
        providers,
        slots,
        pollInterval,
        sweepInterval,
        holding,
        other,
        demands,
        callbackDoor);
  }

  /** The same node with other demands on the providers of its kinds. */
  public EngineConfig with(Map<String, Demand> other) {
    return new EngineConfig(
        node,
        kinds,
        providers,
        slots,
        pollInterval,
        sweepInterval,
        holding,
        retention,
        other,
        callbackDoor);
  }

  /**
   * How a node holds on to its attempts, and lets go of them.
   *
   * @param lease how long an attempt is held without a sign of life of its node; then it is in
   *     doubt
   * @param heartbeat how often the node renews the leases of all its attempts
   * @param stopGrace how long a node that stops waits for its attempts; zero: not at all
   * @param lateAnswersMax attempts whose lines are still read after their timeout, all kinds
   *     together; one more closes the oldest
   */
  public record Holding(
      Duration lease, Duration heartbeat, Duration stopGrace, int lateAnswersMax) {
    /** Shorter ones are nothing but load, and no pause of a machine would be short enough. */
    private static final Duration HEARTBEAT_MIN = Duration.ofMillis(20);

    /** A longer one would leave a dead node's attempts unnoticed, and says nothing more. */
    private static final Duration LEASE_MAX = Duration.ofHours(1);

    private static final Duration STOP_GRACE_MAX = Duration.ofDays(1);

    /** Thirty seconds, renewed every ten; thirty seconds to stop; 256 late answers. */
    public static final Holding DEFAULT =
        new Holding(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(30), 256);

    /**
     * Checks what must hold between the settings.
     *
     * @throws IllegalArgumentException beginning with the setting: {@code lease: …}
     */
    public Holding {
      require(heartbeat.compareTo(HEARTBEAT_MIN) >= 0, "heartbeat: at least 20 ms");
      require(
          lease.compareTo(heartbeat.multipliedBy(2)) >= 0,
          "lease: must last for two heartbeats at least, or one late renewal is doubt; a heartbeat"
              + " is "
              + heartbeat.toMillis()
              + " ms, the lease "
              + lease.toMillis()
              + " ms");
      require(lease.compareTo(LEASE_MAX) <= 0, "lease: at most 1 h");
      require(!stopGrace.isNegative(), "stop_grace: must not be negative");
      require(stopGrace.compareTo(STOP_GRACE_MAX) <= 0, "stop_grace: at most 1 d");
      require(lateAnswersMax >= 1, "late_answers: at least 1");
    }

    private static void require(boolean holds, String what) {
      if (!holds) {
        throw new IllegalArgumentException(what);
      }
    }
  }

  /**
   * A provider and how much of it may be used.
   *
   * @param inFlightMax calls at once on one node; where workers fetch the work, attempts that one
   *     worker may hold at once
   * @param probes how it is asked about attempts in doubt, if it can be asked
   * @param circuit when it is left alone for a while
   * @param prices what it asks; null: nobody has written it down
   */
  public record ProviderSlot(
      Provider provider,
      int inFlightMax,
      ProbePolicy probes,
      CircuitPolicy circuit,
      @Nullable Prices prices) {
    /** At prices that are not known. */
    public ProviderSlot(
        Provider provider, int inFlightMax, ProbePolicy probes, CircuitPolicy circuit) {
      this(provider, inFlightMax, probes, circuit, null);
    }

    /** With the usual settings for questions. */
    public ProviderSlot(Provider provider, int inFlightMax) {
      this(provider, inFlightMax, ProbePolicy.USUAL);
    }

    /** With the usual patience for a provider that does not answer. */
    public ProviderSlot(Provider provider, int inFlightMax, ProbePolicy probes) {
      this(provider, inFlightMax, probes, CircuitPolicy.USUAL);
    }

    /** Whether workers fetch the work: no node calls it. */
    boolean pulled() {
      return provider instanceof PulledProvider;
    }
  }
}
