package dev.onejob.providers.httpkeyed;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings of one endpoint, as the schema beside this class describes them. Whatever is null
 * comes from the profile.
 */
record KeyedSettings(
    @Nullable Profile profile,
    String baseUrl,
    String path,
    @Nullable String apiKeyEnv,
    @Nullable String apiKeyFile,
    @Nullable String apiKeyHeader,
    @Nullable Map<String, String> headers,
    @Nullable ObjectNode json,
    @Nullable Map<String, String> form,
    @Nullable String keyHeader,
    @Nullable String keyMember,
    @Nullable String keyKept,
    @Nullable String replayedHeader,
    @Nullable String shouldRetryHeader,
    @Nullable Map<String, Meaning> statuses,
    @Nullable List<ErrorRule> errors,
    @Nullable String id,
    @Nullable String result,
    @Nullable StateRule state,
    @Nullable Ended ended,
    @Nullable String lookUp,
    @Nullable String connectTimeout,
    @Nullable String firstByteTimeout,
    @Nullable String silenceTimeout) {

  /** Where settings come from that are not given. */
  enum Profile {
    /** Nothing is assumed but the header {@code Idempotency-Key}. */
    PLAIN,
    /** Stripe's API v1. */
    STRIPE
  }

  /** Whether what has failed stays so. */
  enum Ended {
    STABLE,
    MAY_CHANGE
  }

  /**
   * An error that says more than its status.
   *
   * @param at a JSON pointer into the answer
   * @param is the text that has to be there
   */
  record ErrorRule(int status, String at, String is, Meaning means) {}

  /**
   * Where an answer with a success in its status says how the work stands, and in which words. Any
   * other word is in doubt.
   *
   * @param at a JSON pointer into the answer
   */
  record StateRule(
      String at,
      List<String> succeeded,
      @Nullable List<String> failed,
      @Nullable List<String> atWork) {}
}
