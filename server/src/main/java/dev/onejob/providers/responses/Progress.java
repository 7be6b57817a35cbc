package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.provider.Outcome;

/** How far a response is. */
sealed interface Progress {
  /** The provider has it, and it has not ended. */
  record Working(String id) implements Progress {}

  /** It has ended. */
  record Over(Outcome outcome) implements Progress {}

  /** It was not found. */
  record Gone(Failure why) implements Progress {}

  /** Nothing was learned. */
  record Unclear(Failure why) implements Progress {}
}
