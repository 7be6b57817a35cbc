package dev.onejob.server.ui.live;

import dev.onejob.domain.JobId;
import java.util.Optional;

/** What an open page wants to hear of. */
public sealed interface Topic {
  /** The word of {@link Everything}. */
  String EVERYTHING = "all";

  /** The word of {@link Overview}. */
  String OVERVIEW = "overview";

  /** Any change of anything but what nodes count by the minute. */
  record Everything() implements Topic {}

  /** Any change of anything, what nodes count by the minute included. */
  record Overview() implements Topic {}

  /** Changes of one job and its attempts. */
  record OneJob(JobId id) implements Topic {}

  /** Reads {@code all}, {@code overview} or the id of a job; empty if it is none of them. */
  static Optional<Topic> parse(String text) {
    return switch (text) {
      case EVERYTHING -> Optional.of(new Everything());
      case OVERVIEW -> Optional.of(new Overview());
      default -> JobId.parse(text).map(OneJob::new);
    };
  }
}
