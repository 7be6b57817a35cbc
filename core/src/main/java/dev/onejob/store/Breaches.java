package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractBreach;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.store.MoveRequest.BrokenContract;
import dev.onejob.store.Story.Told;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** What is kept of answers that broke the contract of their kind. */
final class Breaches {
  private Breaches() {}

  private static final String KEEP =
      """
      INSERT INTO onejob.breach (
        attempt_id, job_id, owner, contract, contract_hash, checks, paths, rules, messages,
        answer_format, answer, answer_bytes, answer_digest)
      SELECT
        :attempt, j.id, j.owner, :contract, :contract_hash, :checks, :paths, :rules, :messages,
        :answer_format, :answer, :answer_bytes, :answer_digest
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** Keeps a breach with the beginning of its answer, in the transaction that ends the attempt. */
  static void keep(Connection connection, JobId job, AttemptId attempt, BrokenContract broken)
      throws SQLException {
    List<Breach> breaches =
        broken.verdict().breaches().stream().limit(Limits.BREACHES_MAX).toList();
    byte[] answer = broken.answer().bytes();
    Params params =
        new Params()
            .set("attempt", attempt.uuid())
            .set("job", job.uuid())
            .set("contract", Texts.message(broken.contract().title()))
            .set("contract_hash", broken.contract().hash())
            .column("checks", "text", breaches, breach -> Texts.message(breach.check()))
            .column("paths", "text", breaches, breach -> Texts.message(breach.path()))
            .column("rules", "text", breaches, breach -> Texts.message(breach.rule()))
            .column("messages", "text", breaches, breach -> Texts.message(breach.message()))
            .set("answer_format", broken.answer().format().word())
            .set(
                "answer",
                Arrays.copyOf(answer, Math.min(answer.length, Limits.BROKEN_ANSWER_BYTES_MAX)))
            .set("answer_bytes", answer.length)
            .set("answer_digest", HexFormat.of().formatHex(sha256().digest(answer)));
    try (PreparedStatement statement = Sql.prepare(connection, KEEP, params)) {
      statement.executeUpdate();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static final String OF_JOBS =
      """
      SELECT
        b.job_id, b.attempt_id, b.contract, b.contract_hash, b.checks, b.paths, b.rules,
        b.messages, b.answer_format, b.answer_bytes, b.answer_digest, b.broken_at
      FROM onejob.breach AS b
      WHERE b.job_id = ANY (:jobs::uuid[])
      """;

  static Told<ContractBreach> row(ResultSet row) throws SQLException {
    List<String> checks = Rows.texts(row, "checks");
    List<String> paths = Rows.texts(row, "paths");
    List<String> rules = Rows.texts(row, "rules");
    List<String> messages = Rows.texts(row, "messages");
    List<Breach> breaches = new ArrayList<>();
    for (int i = 0; i < checks.size(); i++) {
      breaches.add(new Breach(checks.get(i), paths.get(i), rules.get(i), messages.get(i)));
    }
    return new Told<>(
        Rows.uuid(row, "job_id"),
        row.getObject("attempt_id", UUID.class),
        0,
        new ContractBreach(
            Rows.text(row, "contract"),
            Rows.text(row, "contract_hash"),
            breaches,
            Result.Format.of(Rows.text(row, "answer_format")),
            row.getLong("answer_bytes"),
            Rows.text(row, "answer_digest"),
            Rows.instant(row, "broken_at")));
  }
}
