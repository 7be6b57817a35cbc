package dev.onejob.providers.model;

import dev.onejob.providers.http.EventSink.Heard;
import tools.jackson.databind.JsonNode;

/** Puts one answer together from the events of a stream. Of one thread. */
public interface Gathering {
  /**
   * Takes the data of an event that has no {@code error} in it.
   *
   * @return whether it was the end signal
   * @throws Dialect.Unrecognised if it is none of the protocol's events
   */
  Heard take(JsonNode data) throws Dialect.Unrecognised;

  /** How many characters of an answer are kept. */
  int chars();

  /** Lets go of what is kept: it has become larger than any result. Only the end is waited for. */
  void drop();

  /**
   * The answer, as the protocol would have said it without a stream.
   *
   * @throws Dialect.Unrecognised if the stream ended without having said all that makes one
   */
  JsonNode document() throws Dialect.Unrecognised;
}
