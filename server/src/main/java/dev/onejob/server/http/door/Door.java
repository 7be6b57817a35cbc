package dev.onejob.server.http.door;

import dev.onejob.domain.IntentKey;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the OpenAI door leads to.
 *
 * @param chatCompletions the kind of a job for each model that a client may name
 * @param responses the same for requests to {@code /responses}
 * @param patience how long a request is held, from its arrival, for the end of its job
 * @param doubtPatience how long it waits of this for a job that is in doubt, or waits for a person
 * @param keepAlive after which silence a stream is told that the job is still at work
 * @param keys makes the key of a request that brings none; null: such a request is a new job
 */
public record Door(
    SequencedMap<String, String> chatCompletions,
    SequencedMap<String, String> responses,
    Duration patience,
    Duration doubtPatience,
    Duration keepAlive,
    @Nullable RequestKeys keys) {

  /** Where every path behind the door begins. */
  public static final String PATH = "/openai/v1";

  /** Copies the maps. */
  public Door {
    chatCompletions = copy(chatCompletions);
    responses = copy(responses);
  }

  private static SequencedMap<String, String> copy(Map<String, String> kinds) {
    return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(kinds));
  }

  /** The kinds behind one endpoint. */
  public SequencedMap<String, String> kinds(Endpoint endpoint) {
    return switch (endpoint) {
      case CHAT_COMPLETIONS -> chatCompletions;
      case RESPONSES -> responses;
    };
  }

  /** The key of a request that nobody has sent before, as far as anybody knows. */
  public static IntentKey freshKey() {
    return new IntentKey("openai-door-" + UUID.randomUUID());
  }

  /** Whether a request with this path came to the door. */
  public static boolean leadsTo(String path) {
    return path.equals(PATH) || path.startsWith(PATH + "/");
  }

  /** What is asked for. */
  public enum Endpoint {
    CHAT_COMPLETIONS("/chat/completions"),
    RESPONSES("/responses");

    private final String path;

    Endpoint(String path) {
      this.path = path;
    }

    /** The whole path. */
    public String path() {
      return PATH + path;
    }
  }
}
