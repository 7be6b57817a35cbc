package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The id of a webhook, written as {@code wh_} and 26 characters; sorts by time. */
public record WebhookId(UUID uuid) {
  private static final String PREFIX = "wh_";

  /** Makes a new id for the given moment. */
  public static WebhookId next(long epochMillis, RandomGenerator random) {
    return new WebhookId(Ids.timeOrdered(epochMillis, random));
  }

  /** Reads the text form; empty if it is not exactly an id of this sort. */
  public static Optional<WebhookId> parse(String text) {
    return Ids.parse(PREFIX, text).map(WebhookId::new);
  }

  @Override
  public String toString() {
    return Ids.text(PREFIX, uuid);
  }
}
