package dev.onejob.server.qualification;

import dev.onejob.domain.Prices;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.Twisting;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Candidate.Ability;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Observation.Rendering;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A configured provider that can be asked the questions of a qualification.
 *
 * @param production the very provider that production calls
 * @param settings as the configuration has them
 * @param timeouts of the attempts of each kind
 * @param settingsHash a digest of type and settings
 * @param prices what it asks; null: nobody has written it down
 */
record Probed(
    String name,
    ProviderType type,
    Provider production,
    JsonNode settings,
    ProviderContext context,
    Map<String, Duration> timeouts,
    String settingsHash,
    @Nullable Prices prices) {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  Duration timeout(String kind) {
    return timeouts.getOrDefault(kind, TIMEOUT);
  }

  /** As a qualification sees it. */
  Candidate candidate() {
    Optional<Twisting.Facts> facts = type.twisting().map(twisting -> twisting.facts(settings));
    return new Candidate(
        name,
        type.name(),
        settingsHash,
        type.version(),
        facts.map(Twisting.Facts::model).orElse(null),
        facts.map(Twisting.Facts::parameters).orElse(Map.of()),
        facts.map(Probed::abilities).orElse(Set.of()));
  }

  private static Set<Ability> abilities(Twisting.Facts facts) {
    Set<Ability> abilities = EnumSet.of(Ability.TWISTED, Ability.PLAYED_TO);
    if (facts.turn() == Twisting.SystemTurn.GIVEN) {
      abilities.add(Ability.SYSTEM_TURN);
    }
    if (facts.keyed() == Twisting.Keyed.BY_KEY) {
      abilities.add(Ability.KEY);
    }
    return abilities;
  }

  /** Makes the call, in production's own way where nothing is asked otherwise. */
  Outcome call(ProbeInput input, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    if (input.twist().isNone()) {
      return production.call(request, watch);
    }
    ObjectNode twist = twist(input);
    String play = twist.path("play").asString("");
    if (play.isEmpty()) {
      return twisted(twist, request, watch);
    }
    try (FailurePlayer player = FailurePlayer.start(play)) {
      return twisted(twist.put("base_url", player.address()), request, watch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the provider's key goes is said by the configuration alone, never by a question. */
  private static ObjectNode twist(ProbeInput input) {
    ObjectNode twist = input.twist().document().deepCopy();
    twist.remove("base_url");
    return twist;
  }

  private Outcome twisted(ObjectNode twist, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    try (Provider asked =
        type.create(name, twisting().twisted(settings, twist), contextFor(twist))) {
      return asked.call(request, watch);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a provider cannot be closed", e);
    }
  }

  private Twisting twisting() {
    return type.twisting()
        .orElseThrow(
            () ->
                new InvalidSetting(
                    "", "a provider of type " + type.name() + " cannot be asked so"));
  }

  /** With the key that is sent instead of the provider's. */
  private ProviderContext contextFor(JsonNode twist) {
    if (!twist.has("key")) {
      return context;
    }
    String key = twist.path("key").asString();
    return new ProviderContext(
        variable ->
            variable.equals(Twisting.KEY_VARIABLE) ? key : context.environment().apply(variable),
        context.baseFolder(),
        context.sandbox());
  }

  /** How the server renders the prompt of a question. */
  Observation rendering(ProbeInput input, ProviderRequest request) throws InterruptedException {
    JsonNode twist = twist(input);
    return twisting()
        .render(twisting().twisted(settings, twist), context, request)
        .map(
            rendered ->
                new Observation(
                    Ending.SUCCEEDED,
                    null,
                    null,
                    null,
                    null,
                    new Rendering(
                        rendered.prompt(),
                        array(rendered.pieces()),
                        rendered.tokens(),
                        rendered.roundTrip())))
        .orElseGet(() -> Observation.notAskable("the server does not show how it renders"));
  }

  private static ArrayNode array(List<String> texts) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    texts.forEach(array::add);
    return array;
  }
}
