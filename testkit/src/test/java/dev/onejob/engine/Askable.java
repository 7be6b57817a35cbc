package dev.onejob.engine;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Provider;
import dev.onejob.testkit.Engines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Providers that can be asked, and nodes that ask them quickly. */
final class Askable {
  static final ProbePolicy QUICK =
      new ProbePolicy(
          Duration.ofMillis(50),
          Duration.ofMillis(200),
          Duration.ofMillis(500),
          Duration.ofMinutes(5),
          2);

  private Askable() {}

  /** Can be looked up, and remembers for an hour. */
  static Capabilities capabilities(
      StatusProbe status, NegativeAnswer negative, TerminalState terminal) {
    return capabilities(SubmitDeduplication.NONE, status, negative, terminal, Duration.ofHours(1));
  }

  /** Can be asked by a replay alone. */
  static Capabilities replayable(@Nullable Duration window) {
    return capabilities(
        SubmitDeduplication.HEADER_KEY,
        StatusProbe.NONE,
        NegativeAnswer.MAY_COME_LATER,
        TerminalState.STABLE,
        window);
  }

  static Capabilities remembering(@Nullable Duration retention, Capabilities c) {
    return capabilities(
        c.submitDeduplication(), c.statusProbe(), c.negativeAnswer(), c.terminalState(), retention);
  }

  private static Capabilities capabilities(
      SubmitDeduplication keys,
      StatusProbe status,
      NegativeAnswer negative,
      TerminalState terminal,
      @Nullable Duration retention) {
    Capabilities none = Capabilities.NONE;
    return new Capabilities(
        keys,
        none.referenceSurvival(),
        status,
        negative,
        none.cancel(),
        terminal,
        none.hiddenReexecution(),
        none.billingOnCancel(),
        null,
        retention);
  }

  /** A kind of that effect at the provider {@code a}; a silence of half a second is doubt. */
  static Kind kind(String name, Effect effect) {
    return at("a", name, effect);
  }

  static Kind at(String provider, String name, Effect effect) {
    Kind plain = Engines.exclusive(name, provider);
    return new Kind(
        name,
        effect,
        plain.route(),
        Duration.ofMillis(500),
        plain.lateAnswerLimit(),
        plain.attemptsAllowed(),
        plain.retry(),
        null,
        null,
        plain.whenUnqualified(),
        plain.inFlightMax());
  }

  static EngineConfig config(Provider provider, ProbePolicy policy) {
    return config(
        List.of(kind("plain", Effect.EXCLUSIVE), kind("keyed", Effect.KEYED)), provider, policy);
  }

  static EngineConfig config(List<Kind> kinds, Provider provider, ProbePolicy policy) {
    EngineConfig usual = Engines.config(kinds, Map.of("a", provider));
    return new EngineConfig(
        usual.node(),
        usual.kinds(),
        Map.of("a", new EngineConfig.ProviderSlot(provider, 64, policy)),
        usual.slots(),
        usual.pollInterval(),
        Duration.ofMillis(50));
  }
}
