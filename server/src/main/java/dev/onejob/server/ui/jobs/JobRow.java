package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line of the list; the words are those of the API. */
public record JobRow(
    JobId id,
    String owner,
    String key,
    String kind,
    String state,
    @Nullable String waitingFor,
    boolean contested,
    int attempts,
    List<String> tags,
    Instant createdAt,
    @Nullable Instant endedAt) {
  /** Copies the list. */
  public JobRow {
    tags = List.copyOf(tags);
  }
}
