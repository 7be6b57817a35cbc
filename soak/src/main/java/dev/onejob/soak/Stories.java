package dev.onejob.soak;

import dev.onejob.domain.JobId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What happened to jobs, a line for each event: as the tables have it, as the provider's ledger has
 * it, and what the logs of nodes and workers say that name the job or an attempt of it.
 */
final class Stories {
  private static final int LOG_LINES_MAX = 80;
  private static final Pattern ID = Pattern.compile("(job|att)_[0-9A-HJKMNP-TV-Za-z]{26}");

  private static final String EVENTS =
      """
      SELECT at::text || '  ' || what AS line
      FROM (
        SELECT created_at, 'admitted as ' || kind || ', now ' || state || ', version ' || version
        FROM onejob.job WHERE id = ?
        UNION ALL
        SELECT started_at, 'attempt ' || number || ' at ' || provider || ' by ' || cause
          || ', held by ' || coalesce(worker, node) || ', under version ' || job_version
          || ', now ' || state
        FROM onejob.attempt WHERE job_id = ?
        UNION ALL
        SELECT accepted_at, 'attempt ' || number || ' accepted'
        FROM onejob.attempt WHERE job_id = ?
        UNION ALL
        SELECT unknown_at, 'attempt ' || number || ' in doubt'
        FROM onejob.attempt WHERE job_id = ?
        UNION ALL
        SELECT ended_at, 'attempt ' || number || ' ended by ' || ending
          || coalesce(': ' || failure_code || ', ' || failure_message, '')
        FROM onejob.attempt WHERE job_id = ?
        UNION ALL
        SELECT r.decided_at, r.verdict || coalesce(' then ' || r.then_do, '')
          || coalesce(' of attempt ' || a.number, '') || ' by ' || r.decided_by || ': ' || r.reason
        FROM onejob.resolution AS r LEFT JOIN onejob.attempt AS a ON a.id = r.attempt_id
        WHERE r.job_id = ?
        UNION ALL
        SELECT e.learned_at, e.source || ' of attempt ' || a.number || ': ' || e.says
        FROM onejob.evidence AS e JOIN onejob.attempt AS a ON a.id = e.attempt_id
        WHERE e.job_id = ?
      ) AS story (at, what)
      WHERE at IS NOT NULL
      ORDER BY at
      """;

  private static final String ATTEMPTS =
      """
      SELECT id, number
      FROM onejob.attempt
      WHERE job_id = ?
      ORDER BY number
      """;

  private static final String REQUESTS =
      """
      SELECT received_at::text || '  at ' || provider || ' for ' || attempt
             || ', acted ' || coalesce(acted_at::text, 'never') AS line
      FROM onejob_server.sandbox_call
      WHERE job = ?
      ORDER BY id
      """;

  private static final int EVENTS_OF = 7;

  private Stories() {}

  /** The stories of these jobs, one after the other. */
  static List<String> of(Ground ground, List<JobId> jobs) throws SQLException, IOException {
    Map<JobId, List<String>> stories = new LinkedHashMap<>();
    Map<String, JobId> names = new HashMap<>();
    for (JobId job : jobs) {
      List<String> story = new ArrayList<>(List.of("", "the story of " + job));
      names.put(job.toString(), job);
      fromTables(ground, job, names, story);
      fromLedger(ground, job, story);
      stories.put(job, story);
    }
    fromLogs(ground, names, stories);
    return stories.values().stream().flatMap(List::stream).toList();
  }

  private static void fromTables(
      Ground ground, JobId job, Map<String, JobId> names, List<String> story) throws SQLException {
    try (Connection database = ground.openDatabase();
        PreparedStatement events = database.prepareStatement(EVENTS);
        PreparedStatement attempts = database.prepareStatement(ATTEMPTS)) {
      attempts.setObject(1, job.uuid());
      try (ResultSet rows = attempts.executeQuery()) {
        while (rows.next()) {
          String attempt = Dump.attemptId(rows, "id");
          names.put(String.valueOf(attempt), job);
          story.add("  attempt " + rows.getInt("number") + " is " + attempt);
        }
      }
      for (int i = 1; i <= EVENTS_OF; i++) {
        events.setObject(i, job.uuid());
      }
      lines(events, "  tables  ", story);
    }
  }

  private static void fromLedger(Ground ground, JobId job, List<String> story) throws SQLException {
    try (Connection ledger = ground.openLedger();
        PreparedStatement requests = ledger.prepareStatement(REQUESTS)) {
      requests.setString(1, job.toString());
      lines(requests, "  ledger  ", story);
    }
  }

  private static void lines(PreparedStatement statement, String from, List<String> story)
      throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        story.add(from + rows.getString("line"));
      }
    }
  }

  /** Each log is read once, however many stories there are. */
  private static void fromLogs(
      Ground ground, Map<String, JobId> names, Map<JobId, List<String>> stories)
      throws IOException {
    for (Path log : ground.logs()) {
      Map<JobId, Integer> told = new HashMap<>();
      try (BufferedReader reader = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          JobId job = named(line, names);
          List<String> story = stories.get(job);
          if (job != null && story != null && told.merge(job, 1, Integer::sum) <= LOG_LINES_MAX) {
            story.add("  " + log.getFileName() + "  " + line);
          }
        }
      }
    }
  }

  private static @Nullable JobId named(String line, Map<String, JobId> names) {
    Matcher ids = ID.matcher(line);
    while (ids.find()) {
      JobId job = names.get(ids.group());
      if (job != null) {
        return job;
      }
    }
    return null;
  }
}
