package dev.onejob.bench;

import java.util.List;

/**
 * The texts that make jobs and attempts. A plan says for each number what its job was; all rows
 * about it are made from there, so that no text has to look for what another has written. Numbers
 * are spread by a hash, so that every run makes the same past.
 */
final class PastJobs {
  /** In doubt, of {@link #WAITING_PLAN}. */
  static final int DOUBTS = 3_000;

  private PastJobs() {}

  /** Parameters of what is made by it: first and last number, the first moment, and the step. */
  static final String PLAN =
      """
      CREATE SCHEMA bench;
      CREATE FUNCTION bench.share(n bigint, of bigint) RETURNS double precision
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (hashint8extended(n, of) & 1048575) / 1048576.0::double precision;

      CREATE FUNCTION bench.id(at timestamptz, variant text, n bigint) RETURNS uuid
      LANGUAGE sql STABLE PARALLEL SAFE
      RETURN (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(n & 4095), 3, '0') || variant || '000' || lpad(to_hex(n), 12, '0'))::uuid;

      CREATE FUNCTION bench.kind(u double precision) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN u < 0.5 THEN 'chat' WHEN u < 0.7 THEN 'image' WHEN u < 0.85 THEN 'report'
        WHEN u < 0.95 THEN 'payment' WHEN u < 0.998 THEN 'video' ELSE 'export' END;

      CREATE FUNCTION bench.effect(kind text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE kind
        WHEN 'payment' THEN 'exclusive' WHEN 'video' THEN 'exclusive' ELSE 'harmless' END;

      CREATE FUNCTION bench.route(kind text) RETURNS text[]
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE kind
        WHEN 'chat' THEN ARRAY['model-a', 'model-b'] WHEN 'image' THEN ARRAY['studio-a', 'studio-b']
        WHEN 'report' THEN ARRAY['model-b', 'model-a'] WHEN 'payment' THEN ARRAY['bank-a', 'bank-b']
        WHEN 'video' THEN ARRAY['studio-a', 'studio-b'] ELSE ARRAY['archive', 'bank-b'] END;

      CREATE FUNCTION bench.owner(u double precision) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN 'tenant-' || lpad((1 + floor(power(u, 3) * 1200))::int::text, 4, '0');

      CREATE FUNCTION bench.tags(n bigint) RETURNS text[]
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN bench.share(n, 5) < 0.0005 THEN ARRAY['rare', 'web']
        WHEN bench.share(n, 5) < 0.4 THEN ARRAY['web', 'plan-pro']
        WHEN bench.share(n, 5) < 0.7 THEN ARRAY['batch']
        ELSE ARRAY[]::text[] END;

      CREATE FUNCTION bench.key(n bigint) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN bench.share(n, 6) < 0.5 THEN 'order-' || n ELSE md5(n::text)::uuid::text END;

      CREATE FUNCTION bench.plan(first bigint, last bigint, start_ms bigint, step_ms float8)
      RETURNS TABLE (
        n bigint, at timestamptz, took interval, owner text, kind text, turn text, tries integer,
        emptied boolean)
      LANGUAGE sql STABLE AS $function$
        SELECT p.n, p.at, p.took, p.owner, p.kind, p.turn,
               CASE p.turn
                 WHEN 'unstarted' THEN 0 WHEN 'second' THEN 2 WHEN 'raced' THEN 2
                 WHEN 'failed' THEN 2 ELSE 1 END,
               p.at < now() - interval '30 days'
          FROM (
            SELECT s, to_timestamp((start_ms + floor(s * step_ms)) / 1000.0),
                   (0.2 + 60 * power(bench.share(s, 4), 4)) * interval '1 second',
                   bench.owner(bench.share(s, 1)),
                   bench.kind(bench.share(s, 2)),
                   CASE
                     WHEN bench.share(s, 3) < 0.86 THEN 'once'
                     WHEN bench.share(s, 3) < 0.92 THEN 'second'
                     WHEN bench.share(s, 3) < 0.925 THEN 'raced'
                     WHEN bench.share(s, 3) < 0.96 THEN 'failed'
                     WHEN bench.share(s, 3) < 0.985 THEN 'refused'
                     WHEN bench.share(s, 3) < 0.995 THEN 'stopped'
                     ELSE 'unstarted' END
              FROM generate_series(first, last) AS s) AS p (n, at, took, owner, kind, turn)
      $function$;
      """;

  static final String JOBS =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
        tags, created_at, state, version, completed_by, live, starting, in_doubt,
        attempts_started, attempts_allowed, cancel_requested_at, contested, failure_code,
        failure_message, when_unqualified, result_format, result, ended_at, payload_emptied_at)
      SELECT
        bench.id(p.at, '8', p.n), p.owner, bench.key(p.n), p.kind, bench.effect(p.kind), 1,
        sha256(convert_to(p.n::text, 'UTF8')),
        CASE WHEN NOT p.emptied THEN convert_to(
          '{"prompt":"' || repeat(md5(p.n::text), 6) || '"}', 'UTF8') END,
        bench.route(p.kind), 0, bench.tags(p.n), p.at,
        CASE
          WHEN p.turn IN ('once', 'second', 'raced') THEN 'succeeded'
          WHEN p.turn IN ('failed', 'refused') THEN 'failed' ELSE 'cancelled' END,
        1 + p.tries,
        CASE
          WHEN p.turn IN ('once', 'raced') THEN bench.id(p.at, '9', p.n)
          WHEN p.turn = 'second' THEN bench.id(p.at, 'a', p.n) END,
        0, 0, 0, p.tries, 3,
        CASE WHEN p.turn IN ('stopped', 'unstarted') THEN p.at + p.took END, false,
        CASE WHEN p.turn IN ('failed', 'refused') THEN 'refused' END,
        CASE WHEN p.turn IN ('failed', 'refused') THEN 'The provider refused: 422' END,
        'wait',
        CASE WHEN p.turn IN ('once', 'second', 'raced') THEN 'json' END,
        CASE WHEN p.turn IN ('once', 'second', 'raced') AND NOT p.emptied THEN convert_to(
          '{"text":"' || repeat(md5(p.n::text), 12) || '"}', 'UTF8') END,
        p.at + p.took,
        CASE WHEN p.emptied THEN p.at + p.took + interval '30 days' END
      FROM bench.plan(?, ?, ?, ?) AS p
      """;

  static final String ATTEMPTS =
      """
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, started_at, state, job_version,
        node, provider_ref, ended_at, ending, failure_code, failure_message, report_outcome,
        report_digest, report_bytes, lost_to, cost)
      SELECT
        bench.id(a.at, CASE a.number WHEN 1 THEN '9' ELSE 'a' END, a.n), bench.id(a.at, '8', a.n),
        a.owner, a.number, (bench.route(a.kind))[a.number],
        CASE WHEN a.turn = 'raced' AND a.number = 2 THEN 'race' ELSE 'dispatch' END,
        'oj_' || md5(a.n::text), a.at, a.state, a.number - 1, 'node-1',
        CASE WHEN a.kind IN ('image', 'video') THEN 'task-' || a.n || '-' || a.number END,
        a.at + a.took, CASE a.state WHEN 'cancelled' THEN 'decision' ELSE 'report' END,
        CASE a.state WHEN 'failed' THEN 'refused' END,
        CASE a.state WHEN 'failed' THEN 'The provider refused: 422' END,
        CASE a.state
          WHEN 'succeeded' THEN 'succeeded' WHEN 'lost' THEN 'succeeded' WHEN 'failed' THEN 'failed'
        END,
        CASE WHEN a.state <> 'cancelled' THEN md5(a.n::text) || md5(a.n::text) END,
        CASE WHEN a.state <> 'cancelled' THEN 400 END,
        CASE WHEN a.state = 'lost' THEN bench.id(a.at, '9', a.n) END,
        CASE WHEN a.kind = 'chat' THEN 'cost/1 812 240 0.0042 EUR' END
      FROM (
        SELECT p.n, p.at, p.took, p.owner, p.kind, p.turn, k AS number,
               CASE p.turn
                 WHEN 'once' THEN 'succeeded'
                 WHEN 'second' THEN CASE k WHEN 1 THEN 'failed' ELSE 'succeeded' END
                 WHEN 'raced' THEN CASE k WHEN 1 THEN 'succeeded' ELSE 'lost' END
                 WHEN 'stopped' THEN 'cancelled'
                 ELSE 'failed' END AS state
          FROM bench.plan(?, ?, ?, ?) AS p
          CROSS JOIN generate_series(1, p.tries) AS k) AS a
      """;

  /** 3,000 in doubt, 600 that wait for a decision, 200 contested, 2,000 that are due in a month. */
  static final String WAITING_PLAN =
      """
      CREATE TABLE bench.moment AS SELECT now() AS at;

      CREATE FUNCTION bench.waiting()
      RETURNS TABLE (n bigint, at timestamptz, owner text, kind text, what text)
      LANGUAGE sql STABLE AS $function$
        SELECT 1099511627776 + s, m.at - bench.share(s, 11) * interval '20 days',
               bench.owner(bench.share(s, 12)), bench.kind(bench.share(s, 13)),
               CASE
                 WHEN s <= 3000 THEN 'doubt' WHEN s <= 3600 THEN 'decision'
                 WHEN s <= 3800 THEN 'contested' ELSE 'scheduled' END
          FROM bench.moment AS m
         CROSS JOIN generate_series(1, 5800) AS s
      $function$;
      """;

  private static final String WAITING_JOBS =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
        tags, created_at, state, waiting_for, version, live, starting, in_doubt, attempts_started,
        attempts_allowed, run_at, contested, failure_code, failure_message, when_unqualified,
        ended_at, at_desk_since)
      SELECT
        bench.id(w.at, '8', w.n), w.owner, 'waits-' || w.n, w.kind, bench.effect(w.kind), 1,
        sha256(convert_to(w.n::text, 'UTF8')), convert_to('{"prompt":"wait"}', 'UTF8'),
        bench.route(w.kind), 0, bench.tags(w.n), w.at,
        CASE w.what WHEN 'doubt' THEN 'unknown' WHEN 'contested' THEN 'failed' ELSE 'queued' END,
        CASE w.what WHEN 'decision' THEN 'decision' END,
        1, CASE w.what WHEN 'doubt' THEN 1 ELSE 0 END, 0,
        CASE w.what WHEN 'doubt' THEN 1 ELSE 0 END,
        CASE w.what WHEN 'scheduled' THEN 0 ELSE 1 END, 3,
        CASE w.what WHEN 'scheduled' THEN now() + interval '30 days' END,
        w.what = 'contested', CASE w.what WHEN 'contested' THEN 'refused' END,
        CASE w.what WHEN 'contested' THEN 'The provider refused: 422' END, 'wait',
        CASE w.what WHEN 'contested' THEN w.at + interval '2 seconds' END,
        CASE WHEN w.what IN ('decision', 'contested') THEN w.at + interval '1 minute' END
      FROM bench.waiting() AS w
      """;

  private static final String WAITING_ATTEMPTS =
      """
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, started_at, state, job_version,
        node, provider_ref, unknown_at, ended_at, ending, failure_code, failure_message)
      SELECT
        bench.id(w.at, '9', w.n), bench.id(w.at, '8', w.n), w.owner, 1, (bench.route(w.kind))[1],
        'dispatch', 'oj_' || md5(w.n::text), w.at,
        CASE w.what
          WHEN 'doubt' THEN 'unknown' WHEN 'contested' THEN 'failed' ELSE 'cancelled' END,
        1, 'node-1', CASE WHEN w.kind IN ('image', 'video') THEN 'task-' || w.n END,
        CASE WHEN w.what <> 'contested' THEN w.at + interval '30 seconds' END,
        CASE WHEN w.what <> 'doubt' THEN w.at + interval '1 minute' END,
        CASE w.what WHEN 'decision' THEN 'decision' WHEN 'contested' THEN 'silence' END,
        CASE w.what WHEN 'contested' THEN 'refused' ELSE 'timeout' END,
        CASE w.what WHEN 'contested' THEN 'The provider refused: 422' ELSE 'No answer in 30 s' END
      FROM bench.waiting() AS w
      WHERE w.what <> 'scheduled'
      """;

  private static final String WAITING_EVIDENCE =
      """
      INSERT INTO onejob.evidence (
        job_id, attempt_id, owner, source, strength, says, digest, bytes, learned_at)
      SELECT
        bench.id(w.at, '8', w.n), bench.id(w.at, '9', w.n), w.owner,
        CASE k WHEN 1 THEN 'lookup' ELSE 'callback' END,
        CASE w.what WHEN 'contested' THEN 'proof' ELSE 'hint' END,
        CASE w.what WHEN 'contested' THEN 'it was done' ELSE 'it is not known there' END,
        '', 0, w.at + k * interval '1 minute'
      FROM bench.waiting() AS w
      CROSS JOIN generate_series(1, 2) AS k
      WHERE w.what IN ('doubt', 'contested')
      """;

  static final List<String> WAITING = List.of(WAITING_JOBS, WAITING_ATTEMPTS, WAITING_EVIDENCE);
}
