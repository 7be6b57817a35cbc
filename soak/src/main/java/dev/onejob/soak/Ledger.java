package dev.onejob.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the provider has written down, and its own door. */
final class Ledger {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();

  private static final String ENTRY =
      """
      SELECT
        count(acted_at) > 0 AS acted,
        1000 * extract(epoch FROM clock_timestamp() - max(received_at)) AS since_arrival_ms
      FROM onejob_server.sandbox_call
      WHERE job = ? AND attempt = ?
      """;

  private final URI provider;
  private final DataSource database;

  Ledger(URI provider, DataSource database) {
    this.provider = provider;
    this.database = database;
  }

  /** What is written about an attempt; the time is null if no request of it came. */
  record Entry(boolean acted, @Nullable Duration sinceArrival) {}

  Entry entry(String job, String attempt) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(ENTRY)) {
      statement.setString(1, job);
      statement.setString(2, attempt);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        boolean acted = row.getBoolean("acted");
        long since = row.getLong("since_arrival_ms");
        return new Entry(acted, row.wasNull() ? null : Duration.ofMillis(since));
      }
    }
  }

  /**
   * Asks the provider about a job: it takes its way through the same door, the same threads and the
   * same connections to the ledger as every request.
   *
   * @return how long that took; empty if there was no answer
   */
  Optional<Duration> door(String job) throws InterruptedException {
    long from = System.nanoTime();
    HttpRequest question =
        HttpRequest.newBuilder(provider.resolve("/sandbox/effects?job=" + job))
            .timeout(PATIENCE)
            .build();
    try {
      int status = HTTP.send(question, BodyHandlers.discarding()).statusCode();
      return status == 200
          ? Optional.of(Duration.ofNanos(System.nanoTime() - from))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
