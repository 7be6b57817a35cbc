package dev.onejob.store;

import dev.onejob.domain.JobEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of new jobs, and with them those of the attempts that start at once. */
final class Births {
  private Births() {}

  /** Where none of them starts at once, in bulk above all: the same without attempts. */
  private static final String QUEUE =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
        priority, tags, state, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, deadline, expires_at, contested, race_after_ms,
        when_unqualified, webhook, contracted)
      SELECT
        n.id, n.owner, n.key, n.kind, n.effect, n.fingerprint_version, n.fingerprint, n.input,
        string_to_array(n.route, ','), n.priority, string_to_array(n.tags, ','), 'queued', 0, 0,
        0, 0, 0, n.attempts_allowed, clock_timestamp(), d.at, d.at, false,
        n.race_after_ms, n.when_unqualified, n.webhook, n.contracted
      FROM unnest(
          :id::uuid[], :owner::text[], :key::text[], :kind::text[], :effect::text[],
          :fingerprint_version::smallint[], :fingerprint::bytea[], :input::bytea[],
          :route::text[], :priority::smallint[], :tags::text[], :attempts_allowed::integer[],
          :deadline::timestamptz[], :deadline_after_ms::bigint[], :race_after_ms::bigint[],
          :when_unqualified::text[], :webhook::text[], :contracted::boolean[])
        AS n (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input,
          route, priority, tags, attempts_allowed, deadline, deadline_after_ms, race_after_ms,
          when_unqualified, webhook, contracted)
      CROSS JOIN LATERAL (
        SELECT coalesce(
          n.deadline, clock_timestamp() + n.deadline_after_ms * interval '1 millisecond')
          AS at) AS d
      ON CONFLICT (owner, key) DO NOTHING
      RETURNING id AS job_id, created_at, run_at, deadline, false AS started
      """;

  /**
   * An attempt is started with its job where nothing speaks against it but what changes from moment
   * to moment: the deadline, and an open circuit. The guard of DESIGN 4.1 holds by itself: the job
   * is new, and the provider is the first of its route. Whatever does not start is queued.
   */
  private static final String START =
      """
      WITH wanted AS (
        SELECT
          n.*, d.at AS ends_at,
          n.attempt_id IS NOT NULL
            AND (d.at IS NULL OR d.at > clock_timestamp())
            AND NOT EXISTS (
              SELECT FROM onejob.circuit AS c
              WHERE c.provider = n.provider AND c.opened_at IS NOT NULL)
            AS starts
        FROM unnest(
            :id::uuid[], :owner::text[], :key::text[], :kind::text[], :effect::text[],
            :fingerprint_version::smallint[], :fingerprint::bytea[], :input::bytea[],
            :route::text[], :priority::smallint[], :tags::text[], :attempts_allowed::integer[],
            :deadline::timestamptz[], :deadline_after_ms::bigint[], :race_after_ms::bigint[],
            :when_unqualified::text[], :webhook::text[], :contracted::boolean[],
            :attempt_id::uuid[], :provider::text[], :node::text[], :lease_token::uuid[],
            :lease_ms::bigint[])
          AS n (
            id, owner, key, kind, effect, fingerprint_version, fingerprint, input,
            route, priority, tags, attempts_allowed, deadline, deadline_after_ms, race_after_ms,
            when_unqualified, webhook, contracted, attempt_id, provider, node, lease_token,
            lease_ms)
        CROSS JOIN LATERAL (
          SELECT coalesce(
            n.deadline, clock_timestamp() + n.deadline_after_ms * interval '1 millisecond')
            AS at) AS d
      ),
      born AS (
        INSERT INTO onejob.job (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route,
          priority, tags, state, version, live, starting, in_doubt, attempts_started,
          attempts_allowed, run_at, deadline, expires_at, contested, race_after_ms,
          when_unqualified, webhook, contracted)
        SELECT
          w.id, w.owner, w.key, w.kind, w.effect, w.fingerprint_version, w.fingerprint, w.input,
          string_to_array(w.route, ','), w.priority, string_to_array(w.tags, ','),
          CASE WHEN w.starts THEN 'running' ELSE 'queued' END, 0, w.starts::integer,
          w.starts::integer, 0, w.starts::integer, w.attempts_allowed,
          CASE WHEN NOT w.starts THEN clock_timestamp() END, w.ends_at,
          CASE WHEN NOT w.starts THEN w.ends_at END, false, w.race_after_ms,
          w.when_unqualified, w.webhook, w.contracted
        FROM wanted AS w
        ON CONFLICT (owner, key) DO NOTHING
        RETURNING id, owner, key, created_at, run_at, deadline, state
      ),
      started AS (
        INSERT INTO onejob.attempt (
          id, job_id, owner, number, provider, cause, provider_key, started_at, state,
          job_version, node, lease_token, lease_until)
        SELECT
          w.attempt_id, b.id, b.owner, 1, w.provider, 'dispatch',
          'oj_' || encode(sha256(convert_to(concat_ws(
            E'\\n', 'onejob-provider-key-v1', b.owner, b.key, w.provider, 1), 'UTF8')), 'hex'),
          b.created_at, 'starting', 0, w.node, w.lease_token,
          b.created_at + w.lease_ms * interval '1 millisecond'
        FROM born AS b
        JOIN wanted AS w ON w.id = b.id
        WHERE b.state = 'running'
      )
      SELECT
        b.id AS job_id, b.created_at, coalesce(b.run_at, b.created_at) AS run_at, b.deadline,
        b.state = 'running' AS started
      FROM born AS b
      """;

  /** In this order rows are inserted, and keys locked, by everybody: so nobody waits in a ring. */
  private static final Comparator<Write.Admit> BY_KEY =
      Comparator.<Write.Admit, String>comparing(birth -> birth.newJob().owner().value())
          .thenComparing(birth -> birth.newJob().key().value());

  /** The births of several jobs; its rows are those that it made. */
  static ShortWay.Part births(List<Write.Admit> unsorted, Params params) {
    List<Write.Admit> births = unsorted.stream().sorted(BY_KEY).toList();
    List<NewJob> jobs = births.stream().map(Write.Admit::newJob).toList();
    params
        .column("id", "uuid", jobs, job -> job.id().uuid())
        .column("owner", "text", jobs, job -> job.owner().value())
        .column("key", "text", jobs, job -> job.key().value())
        .column("kind", "text", jobs, NewJob::kind)
        .column("effect", "text", jobs, job -> job.effect().word())
        .column("fingerprint_version", "int2", jobs, job -> (short) job.fingerprint().version())
        .column("fingerprint", "bytea", jobs, job -> job.fingerprint().sha256())
        .column("input", "bytea", jobs, NewJob::input)
        .column("route", "text", jobs, job -> String.join(",", job.route()))
        .column("priority", "int2", jobs, job -> (short) job.priority())
        .column("tags", "text", jobs, job -> String.join(",", job.tags()))
        .column("attempts_allowed", "int4", jobs, job -> job.rules().attemptsAllowed())
        .column("deadline", "text", jobs, NewJob::deadline)
        .column("deadline_after_ms", "int8", jobs, job -> millis(job.deadlineAfter()))
        .column("race_after_ms", "int8", jobs, job -> millis(job.rules().raceAfter()))
        .column("when_unqualified", "text", jobs, job -> job.rules().whenUnqualified().word())
        .column("webhook", "text", jobs, NewJob::webhook)
        .column("contracted", "bool", jobs, NewJob::contracted);
    if (births.stream().allMatch(birth -> birth.start() == null)) {
      return new ShortWay.Part(QUEUE, Births::born);
    }
    params
        .column("attempt_id", "uuid", births, ofStart(start -> start(start).attempt().uuid()))
        .column("provider", "text", births, ofStart(start -> start(start).provider()))
        .column("node", "text", births, ofStart(start -> departure(start).node()))
        .column("lease_token", "uuid", births, ofStart(start -> departure(start).leaseToken()))
        .column("lease_ms", "int8", births, ofStart(start -> departure(start).leaseMillis()));
    return new ShortWay.Part(START, Births::born);
  }

  private static <T> Function<Write.Admit, @Nullable T> ofStart(Function<MoveRequest, T> value) {
    return birth -> {
      MoveRequest start = birth.start();
      return start == null ? null : value.apply(start);
    };
  }

  private static JobEvent.Start start(MoveRequest request) {
    return (JobEvent.Start) request.event();
  }

  private static MoveRequest.Departure departure(MoveRequest request) {
    return (MoveRequest.Departure) Objects.requireNonNull(request.details());
  }

  private static Write.Born born(ResultSet row) throws SQLException {
    return new Write.Born(birth(row), row.getBoolean("started"));
  }

  static Admissions.Birth birth(ResultSet row) throws SQLException {
    return new Admissions.Birth(
        Rows.instant(row, "created_at"),
        Rows.instant(row, "run_at"),
        Rows.instantOrNull(row, "deadline"));
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }
}
