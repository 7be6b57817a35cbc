package dev.onejob.providers.openai;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.model.Dialect;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What only this type has.
 *
 * @param request where the request comes from; null: from templates
 * @param endpoint which of the API it is sent to; null: chat completions
 */
record ChatSettings(@Nullable Source request, @Nullable Endpoint endpoint) {
  /** Where the request comes from, if not from templates. */
  enum Source {
    /** The job's input is the request, as a client of the API has written it. */
    INPUT
  }

  /** Which endpoint of the API. */
  enum Endpoint {
    CHAT_COMPLETIONS("/chat/completions"),
    RESPONSES("/responses");

    private final String path;

    Endpoint(String path) {
      this.path = path;
    }
  }

  /** Whether the job's input is the request. */
  boolean passesInputOn() {
    return request == Source.INPUT;
  }

  /** Whether the endpoint keeps answers for later where a request does not say otherwise. */
  boolean storesUnlessTold() {
    return endpoint == Endpoint.RESPONSES;
  }

  /** The path below the address of the API. */
  String path() {
    return endpoint == null ? Endpoint.CHAT_COMPLETIONS.path : endpoint.path;
  }

  /** What is answered there. */
  Dialect dialect() {
    return endpoint == Endpoint.RESPONSES ? new ResponseDialect() : new ChatDialect();
  }

  /** Who says what is asked for, and where it has to end. */
  Verdict.Words words() {
    return passesInputOn() ? Verdict.Words.OF_THE_CLIENT : Verdict.Words.OF_THE_SETTINGS;
  }

  /**
   * Holds them against those that every model has.
   *
   * @throws InvalidSetting if a stream is asked for of what is passed on
   */
  void check(ModelSettings common) {
    if (passesInputOn() && common.streams()) {
      throw new InvalidSetting(
          "/stream",
          "with request: input the answer is kept whole, and a stream has no whole; leave it out");
    }
  }
}
