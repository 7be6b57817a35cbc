package dev.onejob.providers.model;

import dev.onejob.domain.Failure;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A protocol's own form of an answer. */
public interface Dialect {
  /**
   * Reads the document of a 200 that has no {@code error} in it, and has not failed.
   *
   * @throws Unrecognised if there is no answer of a model in it
   */
  Spoken spoken(JsonNode document) throws Unrecognised;

  /** What the document of a 200 itself calls the end without an answer; null: it does not. */
  default @Nullable Failure failure(JsonNode document) {
    return null;
  }

  /** Whether the model had begun to answer in a document that has an {@code error} in it. */
  boolean begun(JsonNode document);

  /** Puts the answer of one stream together. */
  Gathering gathering();

  /** The data that ends a stream without being JSON; null: there is none. */
  @Nullable String endMark();

  /** What came is not of the form that the protocol has. */
  final class Unrecognised extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says what it is instead, in words of our own. */
    public Unrecognised(String message) {
      super(message);
    }
  }
}
