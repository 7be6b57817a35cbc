package dev.onejob.providers.sandbox;

import dev.onejob.domain.Limits;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads a provider's part of the script in a job's input. */
final class Script {
  private static final Set<String> MEMBERS =
      Set.of(
          "accept_after_ms",
          "answer_after_ms",
          "effect_after_ms",
          "outcome",
          "status",
          "body",
          "body_repeat",
          "value",
          "retryable",
          "retry_after_ms");

  /** Largest body that a script can ask for: enough for an answer that nobody takes. */
  private static final int BODY_BYTES_MAX = 4 * Limits.RESULT_BYTES_MAX;

  private static final long MILLIS_MAX = Limits.ATTEMPT_TIMEOUT_MAX.toMillis();

  private final String place;
  private final JsonNode step;

  private Script(String place, JsonNode step) {
    this.place = place;
    this.step = step;
  }

  /**
   * The step for a provider's n-th request of a job. A script may be one step, or an array of them:
   * the n-th request plays the n-th, and the last one is repeated.
   *
   * @param turn from 1
   */
  static Step step(byte[] input, String provider, int turn) throws InvalidScript {
    JsonNode script = script(input);
    JsonNode part = script == null ? null : script.get(provider);
    if (part == null) {
      return Step.atOnce(new Play.Succeed(null));
    }
    String place = "script." + provider;
    if (!part.isArray()) {
      return new Script(place, part).read();
    }
    if (part.isEmpty()) {
      throw new InvalidScript(place, "an array needs at least one step");
    }
    int index = Math.min(turn, part.size()) - 1;
    return new Script(place + "[" + index + "]", part.get(index)).read();
  }

  private static @Nullable JsonNode script(byte[] input) throws InvalidScript {
    JsonNode whole;
    try {
      whole = BoundedJson.read(input);
    } catch (JacksonException e) {
      throw new InvalidScript("input", e.getOriginalMessage());
    }
    JsonNode script = whole.get("script");
    if (script != null && !script.isObject()) {
      throw new InvalidScript("script", "expected an object with a member for each provider");
    }
    return script;
  }

  private Step read() throws InvalidScript {
    if (!step.isObject()) {
      throw new InvalidScript(place, "expected an object");
    }
    for (String name : step.propertyNames()) {
      if (!MEMBERS.contains(name)) {
        throw new InvalidScript(place + "." + name, "unknown; known are " + sortedMembers());
      }
    }
    Again again = new Again(flag("retryable"), millis("retry_after_ms"));
    OptionalLong accept = millis("accept_after_ms");
    OptionalLong answer = millis("answer_after_ms");
    long answerAfter = answer.orElse(accept.orElse(0));
    if (accept.orElse(0) > answerAfter) {
      throw new InvalidScript(place + ".accept_after_ms", "later than answer_after_ms");
    }
    return new Step(play(again), accept, answerAfter, millis("effect_after_ms"));
  }

  private Play play(Again again) throws InvalidScript {
    String outcome = text("outcome", "succeed");
    return switch (outcome) {
      case "succeed" -> new Play.Succeed(step.get("value"));
      case "refuse" -> new Play.Refuse("sandbox-refused", "refused, as the script says", again);
      case "status" -> new Play.Status(status(), body(), again);
      case "hang" -> new Play.Hang();
      case "drop_before" -> new Play.DropBefore();
      case "drop_after" -> new Play.DropAfter();
      default ->
          throw new InvalidScript(
              place + ".outcome",
              "expected succeed, refuse, hang, drop_before, drop_after or status");
    };
  }

  private int status() throws InvalidScript {
    JsonNode status = step.get("status");
    if (status == null || !status.isInt() || status.intValue() < 200 || status.intValue() > 599) {
      throw new InvalidScript(place + ".status", "expected a status from 200 to 599");
    }
    return status.intValue();
  }

  /**
   * A string is sent as it is, any other value as JSON; as often as {@code body_repeat} says, since
   * an answer may be larger than an input can be.
   */
  private byte[] body() throws InvalidScript {
    JsonNode body = step.get("body");
    if (body == null) {
      return new byte[0];
    }
    String once = body.isString() ? body.stringValue() : BoundedJson.text(body);
    byte[] bytes = once.getBytes(StandardCharsets.UTF_8);
    long times = number("body_repeat", BODY_BYTES_MAX).orElse(1);
    if (times * bytes.length > BODY_BYTES_MAX) {
      throw new InvalidScript(place + ".body_repeat", "more than " + BODY_BYTES_MAX + " bytes");
    }
    ByteBuffer repeated = ByteBuffer.allocate((int) times * bytes.length);
    while (repeated.hasRemaining()) {
      repeated.put(bytes);
    }
    return repeated.array();
  }

  private OptionalLong millis(String name) throws InvalidScript {
    return number(name, MILLIS_MAX);
  }

  private OptionalLong number(String name, long max) throws InvalidScript {
    JsonNode value = step.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    boolean fits = value.isIntegralNumber() && value.canConvertToLong();
    if (!fits || value.longValue() < 0 || value.longValue() > max) {
      throw new InvalidScript(place + "." + name, "expected a whole number from 0 to " + max);
    }
    return OptionalLong.of(value.longValue());
  }

  private boolean flag(String name) throws InvalidScript {
    JsonNode value = step.get(name);
    if (value != null && !value.isBoolean()) {
      throw new InvalidScript(place + "." + name, "expected true or false");
    }
    return value != null && value.booleanValue();
  }

  private String text(String name, String otherwise) throws InvalidScript {
    JsonNode value = step.get(name);
    if (value != null && !value.isString()) {
      throw new InvalidScript(place + "." + name, "expected a string");
    }
    return value == null ? otherwise : value.stringValue();
  }

  private static String sortedMembers() {
    return String.join(", ", MEMBERS.stream().sorted().toList());
  }
}
