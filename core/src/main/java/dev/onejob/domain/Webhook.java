package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where an owner wants to hear of jobs, without its secrets.
 *
 * @param url http or https, as it was given
 * @param events what is told, at least one
 * @param failures tries in a row that were in vain
 * @param secretsUntil until when each secret but the present one still signs, the latest first
 * @param disabledAt since when nothing is sent; null: it is in use
 * @param disabledReason why; null like the time
 */
public record Webhook(
    WebhookId id,
    Owner owner,
    String name,
    String url,
    List<Event> events,
    Jobs jobs,
    Instant createdAt,
    int failures,
    List<Instant> secretsUntil,
    @Nullable Instant disabledAt,
    @Nullable String disabledReason) {

  /** Most webhooks of one owner: every end of a job looks at all of them. */
  public static final int OWNED_MAX = 16;

  /** Longest address, in characters. */
  public static final int URL_CHARS_MAX = 2048;

  /** What is told. */
  public enum Event {
    /** The job has succeeded, failed or been cancelled. */
    ENDED("job.ended"),
    /** The job has come to the state unknown. */
    IN_DOUBT("job.in_doubt");

    private final String word;

    Event(String word) {
      this.word = word;
    }

    /** The word used in SQL and JSON. */
    public String word() {
      return word;
    }

    /**
     * Reads {@link #word}.
     *
     * @throws IllegalArgumentException if there is no such event
     */
    public static Event of(String word) {
      return Stream.of(values())
          .filter(event -> event.word.equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("no event is named " + word));
    }

    /** What the step from one state of a job to another tells, if anything. */
    public static Optional<Event> between(JobState before, JobState after) {
      if (before == after) {
        return Optional.empty();
      }
      return switch (after) {
        case SUCCEEDED, FAILED, CANCELLED -> Optional.of(ENDED);
        case UNKNOWN -> Optional.of(IN_DOUBT);
        case QUEUED, RUNNING -> Optional.empty();
      };
    }
  }

  /** Of which jobs it hears. */
  public enum Jobs {
    /** Of all of its owner. */
    ALL,
    /** Of those that were submitted with its name. */
    NAMED;

    /** The word used in SQL and JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static Jobs of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
