package dev.onejob.providers.model;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.Twisting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks a language model otherwise than its settings say. */
public final class PromptTwisting implements Twisting {
  private static final Set<String> SYSTEM_ROLES = Set.of("system", "developer");
  private static final Set<String> TURNS =
      Set.of("system", "system_before", "system_after", "user", "user_after");

  private final Map<String, Own> ownNames;
  private final Renderer renderer;

  /** Asks the server of one's own how it renders a prompt. */
  public interface Renderer {
    /** As {@link Twisting#render}. */
    Optional<Rendered> render(JsonNode settings, ProviderContext context, ProviderRequest request)
        throws InterruptedException;
  }

  /**
   * A parameter of the protocol.
   *
   * @param least the smallest number that it may have
   */
  public record Own(String name, int least) {}

  /**
   * Of one type of provider, whose settings are those of {@link ModelSettings}.
   *
   * @param ownNames the protocol's parameters, by the names that a qualification uses, where they
   *     differ
   */
  public PromptTwisting(Map<String, Own> ownNames, Renderer renderer) {
    this.ownNames = Map.copyOf(ownNames);
    this.renderer = renderer;
  }

  @Override
  public Facts facts(JsonNode settings) {
    Map<String, JsonNode> parameters = new LinkedHashMap<>();
    settings
        .path("parameters")
        .properties()
        .forEach(e -> parameters.put(theirName(e.getKey()), e.getValue()));
    boolean system =
        settings.has("system")
            || settings.path("messages").valueStream().anyMatch(PromptTwisting::isSystem);
    boolean key = settings.has("api_key_env") || settings.has("api_key_file");
    return new Facts(
        settings.path("model").asString(null),
        parameters,
        system ? SystemTurn.GIVEN : SystemTurn.NONE,
        key ? Keyed.BY_KEY : Keyed.NO_KEY);
  }

  @Override
  public JsonNode twisted(JsonNode settings, JsonNode twist) {
    ObjectNode twisted = (ObjectNode) settings.deepCopy();
    parameters(twisted, twist);
    if (!twisted.has("request") || TURNS.stream().anyMatch(twist::has)) {
      twistTurns(twisted, twist);
    }
    if (twist.has("base_url")) {
      twisted.set("base_url", twist.path("base_url"));
    }
    if (twist.has("key")) {
      twisted.remove("api_key_file");
      twisted.put("api_key_env", KEY_VARIABLE);
    }
    return twisted;
  }

  /** Where the input is the request there are no turns of ours; those of the twist replace it. */
  private static void twistTurns(ObjectNode twisted, JsonNode twist) {
    if (twisted.path("endpoint").asString("").equals("responses")) {
      throw new InvalidSetting("/endpoint", "responses cannot be asked for in other words");
    }
    twisted.remove(List.of("request", "endpoint"));
    ArrayNode turns = turns(twisted);
    system(turns, twist);
    user(turns, twist);
  }

  private void parameters(ObjectNode settings, JsonNode twist) {
    ObjectNode parameters = settings.withObjectProperty("parameters");
    twist.path("parameters").properties().forEach(e -> set(parameters, e.getKey(), e.getValue()));
    twist.path("without").forEach(name -> parameters.remove(ownName(name.asString())));
  }

  private void set(ObjectNode parameters, String name, JsonNode value) {
    Own own = ownNames.get(name);
    if (own != null && value.isInt() && value.intValue() < own.least()) {
      parameters.put(own.name(), own.least());
    } else {
      parameters.set(ownName(name), value);
    }
  }

  /** The name that a qualification has for a parameter of the protocol. */
  private String theirName(String ownName) {
    return ownNames.entrySet().stream()
        .filter(entry -> entry.getValue().name().equals(ownName))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(ownName);
  }

  private String ownName(String name) {
    Own own = ownNames.get(name);
    return own == null ? name : own.name();
  }

  /** All turns as a list of messages, whichever way the settings have them. */
  private static ArrayNode turns(ObjectNode settings) {
    ArrayNode turns = settings.arrayNode();
    JsonNode system = settings.remove("system");
    if (system != null) {
      turns.addObject().put("role", "system").put("content", system.asString());
    }
    JsonNode prompt = settings.remove("prompt");
    if (prompt != null) {
      turns.addObject().put("role", "user").put("content", prompt.asString());
    }
    settings.path("messages").forEach(turns::add);
    settings.set("messages", turns);
    return turns;
  }

  private static void system(ArrayNode turns, JsonNode twist) {
    if (twist.has("system")) {
      turns.removeIf(PromptTwisting::isSystem);
      String text = twist.path("system").asString("");
      if (!text.isEmpty()) {
        turns.insertObject(0).put("role", "system").put("content", plain(text));
      }
    }
    ObjectNode first = first(turns);
    if (first != null) {
      String before = twist.path("system_before").asString("");
      String after = twist.path("system_after").asString("");
      first.put("content", around(plain(before), first.path("content").asString(), plain(after)));
    }
  }

  private static @Nullable ObjectNode first(ArrayNode turns) {
    for (JsonNode turn : turns) {
      if (isSystem(turn)) {
        return (ObjectNode) turn;
      }
    }
    return null;
  }

  private static void user(ArrayNode turns, JsonNode twist) {
    if (twist.has("user")) {
      turns.removeIf(turn -> !isSystem(turn));
      turns.addObject().put("role", "user").put("content", plain(twist.path("user").asString()));
    }
    String after = twist.path("user_after").asString("");
    if (!after.isEmpty() && !turns.isEmpty()) {
      ObjectNode last = (ObjectNode) turns.get(turns.size() - 1);
      last.put("content", around("", last.path("content").asString(), plain(after)));
    }
  }

  private static String around(String before, String text, String after) {
    return (before.isEmpty() ? "" : before + "\n\n")
        + text
        + (after.isEmpty() ? "" : "\n\n" + after);
  }

  private static boolean isSystem(JsonNode turn) {
    return SYSTEM_ROLES.contains(turn.path("role").asString(""));
  }

  /** Text that a template leaves as it is. */
  private static String plain(String text) {
    return text.replace("{{", "\\{{");
  }

  @Override
  public Optional<Rendered> render(
      JsonNode settings, ProviderContext context, ProviderRequest request)
      throws InterruptedException {
    return renderer.render(settings, context, request);
  }
}
