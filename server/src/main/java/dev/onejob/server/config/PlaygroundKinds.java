package dev.onejob.server.config;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.engine.ProbePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The kinds and providers that a node with a playground has besides those of its file. */
public final class PlaygroundKinds {
  /** The act must not happen twice. */
  public static final String PLAIN = "playground";

  /** Harmless, so that a second attempt may race the first. */
  public static final String RACE = "playground-race";

  /** Like {@link #PLAIN}, at a provider that can be asked what became of a request. */
  public static final String ASKED = "playground-asked";

  /** The first of the two providers. */
  public static final String FIRST = "playground-a";

  /** The second. */
  public static final String SECOND = "playground-b";

  /** The first once more, as an adapter sees it that can ask. */
  public static final String FIRST_ASKED = "playground-a-asked";

  /** Short enough to be waited for, long enough for a slow machine's quick answers. */
  public static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Longer than any delay that can be asked for: in a race nobody falls silent. */
  public static final Duration RACE_TIMEOUT = Duration.ofSeconds(20);

  /** How long an attempt has to last before a second may race it. */
  public static final Duration RACE_AFTER = Duration.ofMillis(500);

  private static final Duration LATE_ANSWERS = Duration.ofSeconds(30);
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int ATTEMPTS = 5;
  private static final int IN_FLIGHT = 16;

  /** People make these providers fail on purpose; that must not shut them for the next run. */
  private static final CircuitPolicy NEVER_SHUT =
      new CircuitPolicy(Integer.MAX_VALUE, Duration.ofSeconds(1), Duration.ofSeconds(1));

  /** Often, for people watch. */
  private static final ProbePolicy SOON =
      new ProbePolicy(
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofMinutes(5),
          4);

  private PlaygroundKinds() {}

  /** The kinds. */
  public static List<Kind> kinds() {
    return List.of(
        kind(PLAIN, Effect.EXCLUSIVE, List.of(FIRST, SECOND)),
        new Kind(
            RACE,
            Effect.HARMLESS,
            List.of(FIRST, SECOND),
            RACE_TIMEOUT,
            LATE_ANSWERS,
            ATTEMPTS,
            new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(1)),
            RACE_AFTER,
            DEADLINE,
            WhenUnqualified.FAIL,
            IN_FLIGHT),
        kind(ASKED, Effect.EXCLUSIVE, List.of(FIRST_ASKED, SECOND)));
  }

  private static Kind kind(String name, Effect effect, List<String> route) {
    return new Kind(
        name,
        effect,
        route,
        TIMEOUT,
        LATE_ANSWERS,
        ATTEMPTS,
        new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(1)),
        /* raceAfter= */ null,
        DEADLINE,
        WhenUnqualified.FAIL,
        IN_FLIGHT);
  }

  /** The providers, all of type {@code sandbox}. */
  public static List<ProviderSettings> providers() {
    ObjectNode asked =
        JsonNodeFactory.instance
            .objectNode()
            .put("provider_name", FIRST)
            .put("status", "by-reference");
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    return List.of(
        provider(FIRST, plain), provider(SECOND, plain.deepCopy()), provider(FIRST_ASKED, asked));
  }

  private static ProviderSettings provider(String name, ObjectNode own) {
    return new ProviderSettings(name, "sandbox", IN_FLIGHT, SOON, NEVER_SHUT, null, own);
  }

  /** Notes what in the file has a name that a playground needs. */
  static void checkNames(Settings settings, YamlDocument yaml, Problems problems) {
    if (!settings.ui().playgroundOpen()) {
      return;
    }
    List<String> kinds = kinds().stream().map(Kind::name).toList();
    for (Kind each : settings.kinds()) {
      if (kinds.contains(each.name())) {
        problems.add(yaml.problem(Pointers.child("/kinds", each.name()), TAKEN));
      }
    }
    List<String> providers = providers().stream().map(ProviderSettings::name).toList();
    for (ProviderSettings each : settings.providers()) {
      if (providers.contains(each.name())) {
        problems.add(yaml.problem(Pointers.child("/providers", each.name()), TAKEN));
      }
    }
  }

  private static final String TAKEN =
      "the playground has one of this name; use another, or say ui.playground: false";

  /** The same settings with these kinds and providers, if the playground is open. */
  static Settings added(Settings settings) {
    if (!settings.ui().playgroundOpen()) {
      return settings;
    }
    List<Kind> kinds = new ArrayList<>(settings.kinds());
    kinds.addAll(kinds());
    List<ProviderSettings> providers = new ArrayList<>(settings.providers());
    providers.addAll(providers());
    return settings.with(kinds, providers);
  }
}
