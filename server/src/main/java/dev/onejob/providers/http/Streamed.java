package dev.onejob.providers.http;

import dev.onejob.domain.Failure;

/** What became of a request whose answer may be a stream of events. */
public sealed interface Streamed {
  /** No stream came: a plain answer, or none at all. */
  record Plain(Reply reply) implements Streamed {}

  /** Its listener heard the end signal. What follows in the stream was not read. */
  record Ended(Head head) implements Streamed {}

  /** A stream began, and was over or broke off before its listener had heard the end signal. */
  record Cut(Head head, Failure why) implements Streamed {}
}
