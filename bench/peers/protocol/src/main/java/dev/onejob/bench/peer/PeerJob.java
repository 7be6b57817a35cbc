package dev.onejob.bench.peer;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What is submitted.
 *
 * @param key unique
 * @param payload JSON of {@link #PAYLOAD_BYTES} bytes, which names the key first
 */
public record PeerJob(String key, String payload) {
  /** Size of every payload, in bytes of UTF-8. */
  public static final int PAYLOAD_BYTES = 500;

  /** What a handler answers where answers are kept. */
  public static final String ANSWER = "{\"ok\":true}";

  private static final String BEGIN = "{\"key\":\"";
  private static final String MIDDLE =
      "\",\"page\":17,\"languages\":[\"eng\",\"deu\"],\"scale\":1.25,\"scan\":true,\"text\":\"";
  private static final String END = "\"}";
  private static final String TEXT =
      "the quick brown fox jumps over the lazy dog ".repeat(PAYLOAD_BYTES / 40);

  /** The job of a number within a run. */
  public static PeerJob of(String prefix, int number) {
    String key = prefix + "-" + number;
    int text = PAYLOAD_BYTES - BEGIN.length() - key.length() - MIDDLE.length() - END.length();
    return new PeerJob(key, BEGIN + key + MIDDLE + TEXT.substring(0, text) + END);
  }

  /** The key that a payload names. */
  public static String keyIn(String payload) {
    if (!payload.startsWith(BEGIN)) {
      throw new IllegalArgumentException("not a payload of the bench: " + payload);
    }
    return payload.substring(BEGIN.length(), payload.indexOf('"', BEGIN.length()));
  }

  /** The key as an id, for contestants that know none but these. */
  public UUID id() {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }
}
