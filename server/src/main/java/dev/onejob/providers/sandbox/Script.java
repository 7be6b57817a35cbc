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
          "callback",
          "value",
          "usage",
          "lookup",
          "retryable",
          "retry_after_ms");

  /** Largest body that a script can ask for: enough for an answer that nobody takes. */
  private static final int BODY_BYTES_MAX = 4 * Limits.RESULT_BYTES_MAX;

  private static final Set<String> USAGE_MEMBERS = Set.of("input_tokens", "output_tokens");
  private static final long TOKENS_MAX = 1_000_000_000_000L;

  private static final long MILLIS_MAX = Limits.ATTEMPT_TIMEOUT_MAX.toMillis();

  private final Part part;

  private Script(Part part) {
    this.part = part;
  }

  /**
   * The step for a provider's n-th request of a job. A script may be one step, or an array of them:
   * the n-th request plays the n-th, and the last one is repeated.
   *
   * @param turn from 1
   */
  static Step step(byte[] input, String provider, int turn) throws InvalidScript {
    Part part = part(input, provider, turn);
    return part == null ? Step.atOnce(new Play.Succeed(null)) : new Script(part).read();
  }

  /** What is to be said when somebody asks about the provider's n-th request of a job. */
  static LookupScript lookups(byte[] input, String provider, int turn) throws InvalidScript {
    Part part = part(input, provider, turn);
    return part == null ? LookupScript.TRUTH : LookupScript.read(part);
  }

  /** What is to be said at the callback address of the provider's n-th request of a job. */
  static CallbackScript callbacks(byte[] input, String provider, int turn) throws InvalidScript {
    Part part = part(input, provider, turn);
    return part == null ? CallbackScript.SILENT : CallbackScript.read(part);
  }

  private static @Nullable Part part(byte[] input, String provider, int turn) throws InvalidScript {
    JsonNode script = script(input);
    JsonNode part = script == null ? null : script.get(provider);
    if (part == null) {
      return null;
    }
    String place = "script." + provider;
    if (!part.isArray()) {
      return new Part(place, part).allowing(MEMBERS);
    }
    if (part.isEmpty()) {
      throw new InvalidScript(place, "an array needs at least one step");
    }
    int index = Math.min(turn, part.size()) - 1;
    return new Part(place + "[" + index + "]", part.get(index)).allowing(MEMBERS);
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
    Again again = new Again(part.flag("retryable"), millis("retry_after_ms"));
    OptionalLong accept = millis("accept_after_ms");
    OptionalLong answer = millis("answer_after_ms");
    long answerAfter = answer.orElse(accept.orElse(0));
    if (accept.orElse(0) > answerAfter) {
      throw part.wrong("accept_after_ms", "later than answer_after_ms");
    }
    LookupScript.read(part); // a mistake in it shows at once, not when somebody asks
    CallbackScript.read(part);
    return new Step(
        play(again),
        accept,
        answerAfter,
        millis("effect_after_ms"),
        part.node().get("value"),
        usage());
  }

  private Step.@Nullable Tokens usage() throws InvalidScript {
    JsonNode node = part.node().get("usage");
    if (node == null) {
      return null;
    }
    Part usage = new Part(part.place() + ".usage", node).allowing(USAGE_MEMBERS);
    return new Step.Tokens(
        usage.number("input_tokens", TOKENS_MAX).orElse(0),
        usage.number("output_tokens", TOKENS_MAX).orElse(0));
  }

  private Play play(Again again) throws InvalidScript {
    String outcome = part.text("outcome", "succeed");
    return switch (outcome) {
      case "succeed" -> new Play.Succeed(part.node().get("value"));
      case "refuse" -> new Play.Refuse("sandbox-refused", "refused, as the script says", again);
      case "status" -> new Play.Status(status(), body(), again);
      case "hang" -> new Play.Hang();
      case "drop_before" -> new Play.DropBefore();
      case "drop_after" -> new Play.DropAfter();
      default ->
          throw part.wrong(
              "outcome", "expected succeed, refuse, hang, drop_before, drop_after or status");
    };
  }

  private int status() throws InvalidScript {
    JsonNode status = part.node().get("status");
    if (status == null || !status.isInt() || status.intValue() < 200 || status.intValue() > 599) {
      throw part.wrong("status", "expected a status from 200 to 599");
    }
    return status.intValue();
  }

  /**
   * A string is sent as it is, any other value as JSON; as often as {@code body_repeat} says, since
   * an answer may be larger than an input can be.
   */
  private byte[] body() throws InvalidScript {
    JsonNode body = part.node().get("body");
    if (body == null) {
      return new byte[0];
    }
    String once = body.isString() ? body.stringValue() : BoundedJson.text(body);
    byte[] bytes = once.getBytes(StandardCharsets.UTF_8);
    long times = part.number("body_repeat", BODY_BYTES_MAX).orElse(1);
    if (times * bytes.length > BODY_BYTES_MAX) {
      throw part.wrong("body_repeat", "more than " + BODY_BYTES_MAX + " bytes");
    }
    ByteBuffer repeated = ByteBuffer.allocate((int) times * bytes.length);
    while (repeated.hasRemaining()) {
      repeated.put(bytes);
    }
    return repeated.array();
  }

  private OptionalLong millis(String name) throws InvalidScript {
    return part.number(name, MILLIS_MAX);
  }
}
