package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One thing that waits for a person.
 *
 * @param id of the attempt in doubt, or else of the job; with {@code since} the place in the list
 * @param since when it came here
 * @param age how long ago that was, by the database clock
 * @param effect of the job: what a duplicate would mean
 * @param attempt the attempt in doubt, or the one that the job waits for a word about; null if the
 *     job has none
 * @param choices what can be decided, and what each decision would do now
 * @param mark as what the job was seen
 */
public record DeskItem(
    Because because,
    UUID id,
    Instant since,
    Duration age,
    Job.Summary job,
    Effect effect,
    @Nullable Attempt attempt,
    List<Choice> choices,
    Mark mark) {
  public DeskItem {
    choices = List.copyOf(choices);
  }

  /** Why it is here. */
  public enum Because {
    /** Nobody knows what became of the attempt. */
    IN_DOUBT,
    /** A report says that an ended attempt acted after all. */
    CONTESTED,
    /** Only a person can say how the job goes on. */
    DECISION;

    /** The word used in SQL, JSON, logs and documents. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static Because of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** A place in a list, oldest first: after the item that came then and has this id. */
  public record Place(Instant since, UUID id) {}

  /**
   * A page of a list, oldest first.
   *
   * @param next where the next page begins; null at the end
   */
  public record Page(List<DeskItem> items, @Nullable Place next) {
    public Page {
      items = List.copyOf(items);
    }
  }
}
