package dev.onejob.store;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Webhook;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What webhooks are to hear of a move, written in its transaction. The short way says the same of
 * its results, within its own statement; see {@link Settlements}.
 */
final class Outbox {
  private Outbox() {}

  /** By the job as the move has left it. */
  private static final String TELL =
      """
      INSERT INTO onejob.webhook_delivery (
        webhook_id, owner, event, job_id, job_key, kind, job_state, failure_code, occurred_at)
      SELECT
        w.id, j.owner, :event, j.id, j.key, j.kind, j.state, j.failure_code,
        coalesce(j.ended_at, clock_timestamp())
      FROM onejob.job AS j
      JOIN onejob.webhook AS w ON w.owner = j.owner
      WHERE j.id = :job
        AND w.disabled_at IS NULL
        AND :event = ANY (w.events)
        AND (w.jobs = 'all' OR w.name = j.webhook)
      """;

  /** Nothing is written where there is no webhook, or the step tells nothing. */
  static void tell(Connection connection, JobId job, JobState before, JobState after)
      throws SQLException {
    Optional<Webhook.Event> event = Webhook.Event.between(before, after);
    if (event.isPresent()) {
      Params params = new Params().set("job", job.uuid()).set("event", event.get().word());
      try (PreparedStatement statement = Sql.prepare(connection, TELL, params)) {
        statement.executeUpdate();
      }
    }
  }
}
