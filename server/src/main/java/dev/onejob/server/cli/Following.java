package dev.onejob.server.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Follows a job until it has ended, and shows what changes. */
final class Following {
  /** One request waits this long, so that changes on the way are seen soon. */
  private static final String WAIT = "?wait=1";

  private final ApiClient client;
  private final Terminal terminal;
  private String shown = "";

  Following(ApiClient client, Terminal terminal) {
    this.client = client;
    this.terminal = terminal;
  }

  /**
   * Returns the job as it is at its end, or when the time is over.
   *
   * @param atMost null: as long as it takes
   */
  JsonNode untilEnd(String id, @Nullable Duration atMost) throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      JsonNode job = client.get(JobText.path(id) + WAIT).good();
      show(job);
      boolean late = atMost != null && System.nanoTime() - start >= atMost.toNanos();
      if (JobText.ended(job) || late) {
        return job;
      }
    }
  }

  private void show(JsonNode job) {
    String now = JobText.progress(job);
    if (!now.equals(shown)) {
      terminal.say(now);
      shown = now;
    }
  }
}
