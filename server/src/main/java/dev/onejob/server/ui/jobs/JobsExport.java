package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the list shows into one file, page by page, each over a connection that is given back
 * before the next. The file is there whole before anything is sent: a database that fails in the
 * middle leaves no file that looks like one.
 */
final class JobsExport {
  /** What a person can still look through in a spreadsheet. */
  static final int JOBS_MAX = 10_000;

  /** Of one read; a part of {@link #JOBS_MAX}. */
  static final int READ_MAX = 1_000;

  /** So many jobs, at {@link JobsReader#LOOKED_AT_MAX} a read, are looked through. */
  static final int READS_MAX = 20;

  /** Ten thousand usual jobs have the half of it; the longest keys and tags ten times. */
  static final int BYTES_MAX = 4 << 20;

  /** At once on a node; each keeps its file in memory while it is made. */
  static final int EXPORTS_MAX = 8;

  /** Of one owner's API keys: one more than one needs. */
  static final int EXPORTS_OF_OWNER_MAX = 2;

  /** Proxies take a minute of silence for the end. */
  private static final Duration READING_MAX = Duration.ofSeconds(20);

  /** After so long a read looks no further; so all of them together keep to the time. */
  static final Duration READ_LOOKS_MAX = READING_MAX.dividedBy(READS_MAX);

  private final DataSource database;
  private final JobsReader reader;
  private final LongSupplier nanos;

  /** All exports of a node together hold one connection, so that they leave the others to pages. */
  private final Semaphore reading = new Semaphore(1, true);

  /**
   * Over the pages' pool.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  JobsExport(DataSource database, LongSupplier nanos) {
    this.database = database;
    this.reader = new JobsReader(database, nanos);
    this.nanos = nanos;
  }

  /**
   * A file.
   *
   * @param goesOnBefore where the next one begins; null: this is all
   */
  record Export(byte[] csv, @Nullable JobId goesOnBefore) {}

  /** Newest first, as far as the bounds allow; of one owner alone unless that is null. */
  Export read(@Nullable String owner, JobFilters filters)
      throws SQLException, InterruptedException {
    long begin = nanos.getAsLong();
    ByteArrayOutputStream csv = new ByteArrayOutputStream(64 << 10);
    csv.writeBytes(JobsCsv.HEAD.getBytes(StandardCharsets.UTF_8));
    JobFilters rest = filters;
    int jobs = 0;
    for (int reads = 1; ; reads++) {
      Read read = readInTurn(owner, rest);
      for (ExportRow each : read.rows()) {
        byte[] line = JobsCsv.line(each).getBytes(StandardCharsets.UTF_8);
        JobId last = rest.before();
        if (csv.size() + line.length > BYTES_MAX && last != null) {
          return new Export(csv.toByteArray(), last);
        }
        csv.writeBytes(line);
        rest = rest.before(each.job().id());
        jobs++;
      }
      JobId next = read.goesOnBefore();
      boolean enough =
          jobs >= JOBS_MAX
              || reads >= READS_MAX
              || nanos.getAsLong() - begin >= READING_MAX.toNanos();
      if (next == null || enough) {
        return new Export(csv.toByteArray(), next);
      }
      rest = rest.before(next);
    }
  }

  private record Read(List<ExportRow> rows, @Nullable JobId goesOnBefore) {}

  private Read readInTurn(@Nullable String owner, JobFilters filters)
      throws SQLException, InterruptedException {
    reading.acquire();
    try (Connection connection = database.getConnection()) {
      JobsReader.seeOneMoment(connection);
      Read read = read(connection, owner, filters);
      connection.commit();
      return read;
    } finally {
      reading.release();
    }
  }

  /** The list and what the export tells besides, as of one moment. */
  private Read read(Connection connection, @Nullable String owner, JobFilters filters)
      throws SQLException {
    JobsReader.Page page = reader.list(connection, owner, filters, READ_MAX, READ_LOOKS_MAX);
    Map<UUID, ExportRow> rows = facts(connection, page.jobs());
    return new Read(
        page.jobs().stream().map(job -> Objects.requireNonNull(rows.get(job.id().uuid()))).toList(),
        page.goesOnBefore());
  }

  private static final String FACTS =
      """
      SELECT j.id, j.in_doubt, coalesce(
               (SELECT a.provider FROM onejob.attempt AS a WHERE a.id = j.completed_by),
               (SELECT a.provider FROM onejob.attempt AS a
                 WHERE a.job_id = j.id ORDER BY a.number DESC LIMIT 1)) AS provider
        FROM unnest(?::uuid[]) AS l (id)
        JOIN onejob.job AS j ON j.id = l.id
      """;

  private static Map<UUID, ExportRow> facts(Connection connection, List<JobRow> jobs)
      throws SQLException {
    Map<UUID, JobRow> listed = new HashMap<>();
    jobs.forEach(job -> listed.put(job.id().uuid(), job));
    Map<UUID, ExportRow> rows = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(FACTS)) {
      List<UUID> ids = new ArrayList<>(listed.keySet());
      select.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      try (ResultSet found = select.executeQuery()) {
        while (found.next()) {
          UUID id = found.getObject("id", UUID.class);
          JobRow job = Objects.requireNonNull(listed.get(id));
          rows.put(id, new ExportRow(job, found.getInt("in_doubt"), found.getString("provider")));
        }
      }
    }
    return rows;
  }
}
