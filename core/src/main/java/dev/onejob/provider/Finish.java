package dev.onejob.provider;

import java.util.Locale;

/** Why a model stopped, in one vocabulary for all providers. Only {@link #NORMAL} is an answer. */
public enum Finish {
  /** It had said what it had to say. */
  NORMAL,
  /** It reached its limit of tokens: the answer is cut off, whatever it looks like. */
  TRUNCATED,
  /** The provider withheld the answer, or a part of it. */
  FILTERED,
  /** It calls a tool instead of answering. */
  TOOL_CALL,
  /** It paused and would go on if it were asked to. */
  PAUSED,
  /** A word that is not known here, or none at all: never taken for an answer. */
  UNKNOWN;

  /** Reads a provider's own word, such as {@code stop} or {@code max_tokens}. */
  public static Finish of(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "stop", "end_turn", "eos_token", "stop_sequence", "completed" -> NORMAL;
      case "length",
          "max_tokens",
          "max_output_tokens",
          "model_context_window_exceeded",
          "incomplete" ->
          TRUNCATED;
      case "content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content" ->
          FILTERED;
      case "tool_calls", "function_call", "tool_use" -> TOOL_CALL;
      case "pause_turn" -> PAUSED;
      default -> UNKNOWN;
    };
  }
}
