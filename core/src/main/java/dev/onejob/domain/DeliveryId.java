package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The id of a delivery one event on its way to one webhook, written as {@code evt_} and 26
 * characters; sorts by time.
 */
public record DeliveryId(UUID uuid) {
  private static final String PREFIX = "evt_";

  /** Makes a new id for the given moment. */
  public static DeliveryId next(long epochMillis, RandomGenerator random) {
    return new DeliveryId(Ids.timeOrdered(epochMillis, random));
  }

  /** Reads the text form; empty if it is not exactly an id of this sort. */
  public static Optional<DeliveryId> parse(String text) {
    return Ids.parse(PREFIX, text).map(DeliveryId::new);
  }

  @Override
  public String toString() {
    return Ids.text(PREFIX, uuid);
  }
}
