package dev.onejob.bench;

import java.util.List;

/** The texts that make what is kept beside jobs and attempts. */
final class PastStories {
  private PastStories() {}

  private static final String EVIDENCE =
      """
      INSERT INTO onejob.evidence (
        job_id, attempt_id, owner, source, strength, says, digest, bytes, learned_at)
      SELECT
        bench.id(p.at, '8', p.n), bench.id(p.at, '9', p.n), p.owner, 'late_answer', 'proof',
        'it was done', md5(p.n::text) || md5(p.n::text), 400, p.at + p.took
      FROM bench.plan(?, ?, ?, ?) AS p
      WHERE p.tries > 0 AND bench.share(p.n, 21) < 0.01
      """;

  private static final String RESOLUTIONS =
      """
      INSERT INTO onejob.resolution (
        job_id, attempt_id, owner, verdict, then_do, reason, decided_by, decided_at, was_state)
      SELECT
        bench.id(p.at, '8', p.n), bench.id(p.at, '9', p.n), p.owner, 'abandon', 'wait',
        'The customer called', 'operator', p.at + p.took, 'unknown'
      FROM bench.plan(?, ?, ?, ?) AS p
      WHERE p.turn = 'stopped'
      """;

  private static final String REPEATS =
      """
      INSERT INTO onejob.job_repeat (job_id, repeats, written_at)
      SELECT bench.id(p.at, '8', p.n), 2, ARRAY[p.at + p.took / 2]
      FROM bench.plan(?, ?, ?, ?) AS p
      WHERE bench.share(p.n, 22) < 0.04
      """;

  private static final String BREACHES =
      """
      INSERT INTO onejob.breach (
        attempt_id, job_id, owner, contract, contract_hash, checks, paths, rules, messages,
        answer_format, answer, answer_bytes, answer_digest, broken_at)
      SELECT
        bench.id(p.at, '9', p.n), bench.id(p.at, '8', p.n), p.owner, 'parcel 1',
        md5('c') || md5('d'), ARRAY['schema'], ARRAY['/total'], ARRAY['required'],
        ARRAY['required property total not found'], 'json',
        CASE WHEN NOT p.emptied THEN convert_to('{"text":"no total"}', 'UTF8') END,
        19, md5(p.n::text) || md5(p.n::text), p.at + p.took
      FROM bench.plan(?, ?, ?, ?) AS p
      WHERE p.turn = 'refused' AND bench.share(p.n, 23) < 0.1
      """;

  /** With the parameters of the plan. */
  static final List<String> OF_JOBS = List.of(EVIDENCE, RESOLUTIONS, REPEATS, BREACHES);

  /** One result as large as results may be, of the newest job that has one. */
  private static final String LARGE_RESULT =
      """
      UPDATE onejob.job AS j SET
        result = convert_to('{"text":"' || repeat('0123456789abcdef', 260000) || '"}', 'UTF8')
      WHERE j.id = (
        SELECT k.id FROM onejob.job AS k
         WHERE k.state = 'succeeded' ORDER BY k.id DESC LIMIT 1)
      """;

  /** Retention has walked as far as payloads are emptied, and no further. */
  private static final String PASSED =
      """
      UPDATE onejob.retention AS r SET
        passed = (
          SELECT j.id FROM onejob.job AS j
           WHERE j.id < (lpad(to_hex(floor(extract(epoch FROM
             clock_timestamp() - interval '30 days') * 1000)::bigint), 12, '0')
             || '00000000000000000000')::uuid
           ORDER BY j.id DESC LIMIT 1)
      WHERE r.work = 'payload'
      """;

  private static final String TALLY =
      """
      INSERT INTO onejob_server.tally (
        minute, node, created, repeated, mismatched, succeeded, failed, cancelled, lost)
      SELECT m, 'node-' || k, 20, 1, 0, 18, 1, 1, 0
        FROM generate_series(
               date_trunc('minute', now()) - interval '2 days',
               date_trunc('minute', now()) - interval '2 minutes', interval '1 minute') AS m
       CROSS JOIN generate_series(1, 3) AS k
      """;

  private static final String TALLY_PAID =
      """
      INSERT INTO onejob_server.tally_paid (minute, node, currency, paid)
      SELECT t.minute, t.node, 'EUR', 0.0756 FROM onejob_server.tally AS t
      """;

  /** Told of named jobs only: what runs while the pages are measured is told to nobody. */
  private static final String WEBHOOKS =
      """
      INSERT INTO onejob.webhook (id, owner, place, name, url, events, jobs)
      SELECT bench.id(now(), '8', k), 'tenant-' || lpad(k::text, 4, '0'), 1, 'books',
             'https://books.example/onejob', ARRAY['job.ended'], 'named'
        FROM generate_series(1, 120) AS k
      """;

  private static final String SECRETS =
      """
      INSERT INTO onejob.webhook_secret (webhook_id, secret)
      SELECT w.id, sha256(convert_to(w.owner, 'UTF8')) FROM onejob.webhook AS w
      """;

  static final List<String> OTHERS =
      List.of(LARGE_RESULT, PASSED, TALLY, TALLY_PAID, WEBHOOKS, SECRETS);

  /** So many, over 25 days; the larger part of them of the first webhook. */
  static final String DELIVERIES =
      """
      INSERT INTO onejob.webhook_delivery (
        id, webhook_id, owner, event, job_id, job_key, kind, job_state, occurred_at, state, tries,
        round_tries, round_since, next_at, ended_at)
      SELECT
        bench.id(d.at, 'b', d.n), w.id, w.owner, 'job.ended', bench.id(d.at, '8', d.n),
        'order-' || d.n, 'chat', 'succeeded', d.at, d.state,
        CASE d.state WHEN 'failed' THEN 8 ELSE 1 END, CASE d.state WHEN 'failed' THEN 8 ELSE 1 END,
        d.at, CASE d.state WHEN 'waiting' THEN now() + interval '1 day' END,
        CASE WHEN d.state <> 'waiting' THEN d.at + interval '1 second' END
      FROM (
        SELECT s, now() - (1 - (s - 1) / m.most::double precision) * interval '25 days',
               CASE WHEN bench.share(s, 31) < 0.6 THEN 1
                    ELSE 1 + floor(bench.share(s, 32) * 120)::integer END,
               CASE WHEN bench.share(s, 33) < 0.001 THEN 'waiting'
                    WHEN bench.share(s, 33) < 0.03 THEN 'failed' ELSE 'delivered' END
          FROM (SELECT ?::bigint) AS m (most)
         CROSS JOIN generate_series(1, m.most) AS s) AS d (n, at, place, state)
      JOIN onejob.webhook AS w ON w.owner = 'tenant-' || lpad(d.place::text, 4, '0')
      """;

  static final String TRIES =
      """
      INSERT INTO onejob.webhook_try (
        delivery_id, number, node, started_at, ended_at, outcome, status)
      SELECT d.id, k, 'node-1', d.occurred_at, d.occurred_at + interval '40 milliseconds',
             CASE d.state WHEN 'delivered' THEN 'delivered' ELSE 'refused' END,
             CASE d.state WHEN 'delivered' THEN 200 ELSE 500 END
        FROM onejob.webhook_delivery AS d
       CROSS JOIN generate_series(1, d.tries) AS k
      """;
}
