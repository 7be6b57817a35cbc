package dev.onejob.server.ui.live;

import dev.onejob.domain.JobId;
import java.util.Optional;

/** What an open page wants to hear of. */
public sealed interface Topic {
  /** The word of {@link Everything}. */
  String EVERYTHING = "all";

  /** Any change of anything. */
  record Everything() implements Topic {}

  /** Changes of one job and its attempts. */
  record OneJob(JobId id) implements Topic {}

  /** Reads {@code all} or the id of a job; empty if it is neither. */
  static Optional<Topic> parse(String text) {
    return text.equals(EVERYTHING)
        ? Optional.of(new Everything())
        : JobId.parse(text).map(OneJob::new);
  }
}
