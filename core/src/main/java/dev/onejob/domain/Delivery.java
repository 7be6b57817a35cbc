package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One event for one webhook, and how far it has come.
 *
 * @param id stays the same at every try, so that the receiver can drop repeats
 * @param state where the delivery stands
 * @param nextAt when it is tried next, or a try under way is taken for dead; null once it has ended
 * @param endedAt null while it waits
 * @param triesInAll how many tries were made
 * @param tries the last ones, oldest first; those whose node died have no end
 */
public record Delivery(
    DeliveryId id,
    WebhookId webhook,
    Owner owner,
    News news,
    State state,
    @Nullable Instant nextAt,
    @Nullable Instant endedAt,
    int triesInAll,
    List<Try> tries) {

  /**
   * What is told.
   *
   * @param jobState of the job right after the move that it tells of
   * @param failureCode of a job that has failed; else null
   */
  public record News(
      Webhook.Event event,
      JobId job,
      IntentKey key,
      String kind,
      JobState jobState,
      @Nullable String failureCode,
      Instant occurredAt) {}

  /** Where a delivery stands. */
  public enum State {
    /** It will be tried, or is being tried. */
    WAITING,
    /** It was answered with 2xx. */
    DELIVERED,
    /** All tries were in vain, or its webhook is disabled or gone. It can be sent again. */
    FAILED;

    /** The word used in SQL and JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static State of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * One try.
   *
   * @param number from 1
   * @param outcome null while it is under way, and for ever if its node died
   * @param status of the answer; null if none came
   * @param message for people, never a word of the answer; null if there is nothing to say
   */
  public record Try(
      int number,
      String node,
      Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Outcome outcome,
      @Nullable Integer status,
      @Nullable String message) {}

  /** How a try ended. */
  public enum Outcome {
    /** Answered with 2xx. */
    DELIVERED,
    /** Answered otherwise; a redirect is no success, and is not followed. */
    REFUSED,
    /** Answered with 410: the receiver wants nothing more. */
    GONE,
    /** A byte may have left, and no answer came. */
    UNANSWERED,
    /** No byte left: no name, no connection, no TLS. */
    NOT_SENT,
    /** The policy forbids the address; nothing was connected to. */
    BLOCKED;

    /** The word used in SQL, JSON and metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static Outcome of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
