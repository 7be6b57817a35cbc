package dev.onejob.providers.sandbox;

import dev.onejob.providers.sandbox.Step.Play;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a sandbox says about a request when it is asked. */
sealed interface Word {
  /**
   * It acted.
   *
   * @param value what came of it; null: what an unscripted success says
   */
  record Succeeded(@Nullable JsonNode value) implements Word {}

  /** It was refused or has failed. */
  record Failed(Play.Refuse how) implements Word {}

  /** It was stopped. */
  record Stopped() implements Word {}

  /** It has not ended. */
  record AtWork() implements Word {}

  /** There is no such request. */
  record NotFound() implements Word {}

  /** Nothing, ever. */
  record Silence() implements Word {}

  /** What nobody can understand. */
  record Garbage() implements Word {}
}
