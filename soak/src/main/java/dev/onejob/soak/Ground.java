package dev.onejob.soak;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.testkit.PaymentPeer;
import dev.onejob.testkit.PostgresProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes stand on: the PostgreSQL of the jobs, which gets into trouble, and a provider in a
 * process of its own whose ledger is kept by another PostgreSQL, which never does.
 */
final class Ground implements AutoCloseable {
  private static final String LOG = ".log";
  private static final int LEDGER_CONNECTIONS = 8;

  private final Path folder;
  private final PostgresProcess database;
  private final PostgresProcess ledgerDatabase;
  private final Process provider;
  private final URI providerAddress;
  private final HikariDataSource ledgerPool;
  private final Path config;
  private final @Nullable Path inFront;
  private boolean kept;

  private Ground(
      Path folder, PostgresProcess database, PostgresProcess ledger, @Nullable Path inFront)
      throws IOException {
    this.folder = folder;
    this.database = database;
    this.ledgerDatabase = ledger;
    this.inFront = inFront;
    this.provider =
        new ProcessBuilder(
                java(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-cp",
                ownClassPath(),
                ProviderProcess.class.getName(),
                ledger.url("postgres"))
            .redirectError(folder.resolve("provider" + LOG).toFile())
            .start();
    BufferedReader said = provider.inputReader(StandardCharsets.UTF_8);
    String address = said.readLine();
    String payments = said.readLine();
    if (address == null || payments == null) {
      throw new IOException("the provider did not start; see " + folder);
    }
    this.providerAddress = URI.create(address);
    Files.writeString(folder.resolve("payments.key"), PaymentPeer.SECRET);
    this.config = Files.writeString(folder.resolve("onejob.yaml"), config(address, payments));
    this.ledgerPool = new HikariDataSource();
    ledgerPool.setJdbcUrl(ledger.url("postgres"));
    ledgerPool.setMaximumPoolSize(LEDGER_CONNECTIONS);
  }

  /**
   * Starts both databases and the provider.
   *
   * @param inFront classes that go before those of the nodes; null: the product as it is
   */
  static Ground prepare(@Nullable Path inFront) throws IOException, SQLException {
    Path folder = Files.createTempDirectory("onejob-soak");
    PostgresProcess database = PostgresProcess.start(Map.of("max_connections", "150"));
    execute(database, "CREATE DATABASE onejob");
    PostgresProcess ledger =
        PostgresProcess.start(Map.of("fsync", "off", "synchronous_commit", "off"));
    return new Ground(folder, database, ledger, inFront);
  }

  /** Short times, so that much happens in a soak. */
  private static String config(String provider, String payments) {
    return """
    server:
      poll_interval: 500ms
      sweep_interval: 500ms
      lease: 6s
      heartbeat: 2s
    database:
      pool_size: 12
      socket_timeout: 10s
    kinds:
      exclusive:
        effect: exclusive
        route: [p1, p2]
        attempt_timeout: 2s
        late_answer_limit: 8s
        attempts: 6
        backoff: {first: 200ms, max: 2s}
        in_flight: 256
      harmless:
        effect: harmless
        route: [p1, p2]
        attempt_timeout: 2s
        late_answer_limit: 8s
        attempts: 6
        backoff: {first: 200ms, max: 2s}
        race: {after: 300ms}
        in_flight: 256
      pulled:
        effect: exclusive
        route: [w]
        attempt_timeout: 6s
        attempts: 6
        backoff: {first: 200ms, max: 2s}
        in_flight: 256
      paid:
        effect: keyed
        route: [payments]
        attempt_timeout: 2s
        late_answer_limit: 8s
        attempts: 6
        backoff: {first: 200ms, max: 2s}
        in_flight: 256
    """
        + providers(provider, payments);
  }

  private static String providers(String sandbox, String payments) {
    return """
    providers:
      p1: {type: sandbox, in_flight: 256, url: "%s"}
      p2: {type: sandbox, in_flight: 256, url: "%s"}
      w: {type: worker, lease: 4s, in_flight: 64}
      payments:
        type: http-keyed
        profile: stripe
        base_url: %s
        path: /v1/payment_intents
        api_key_file: payments.key
        form:
          amount: "100"
          currency: usd
          metadata[order]: "{{/n}}"
          metadata[fate]: "{{/fate}}"
        state: {at: /status, succeeded: [succeeded], at_work: [processing]}
        look_up: /v1/payment_intents/{id}
        probe: {first: 300ms, max: 2s, timeout: 2s}
        in_flight: 256
    """
        .formatted(sandbox, sandbox, payments);
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static String ownClassPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void execute(PostgresProcess postgres, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  Path folder() {
    return folder;
  }

  Path config() {
    return config;
  }

  String classPath() {
    return inFront == null ? ownClassPath() : inFront + File.pathSeparator + ownClassPath();
  }

  PostgresProcess database() {
    return database;
  }

  /** Where the provider listens. */
  URI provider() {
    return providerAddress;
  }

  Ledger ledger() {
    return new Ledger(providerAddress, ledgerPool);
  }

  /** Where everything is kept that the program of that name says. */
  Path log(String name) {
    return folder.resolve(name + LOG);
  }

  /** What the programs have said: a file each. */
  List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(LOG)).sorted().toList();
    }
  }

  /** The logs are to be there when all is over. */
  void keep() {
    kept = true;
  }

  String databaseUrl(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/onejob?user=postgres";
  }

  Connection openDatabase() throws SQLException {
    return DriverManager.getConnection(database.url("onejob"));
  }

  Connection openLedger() throws SQLException {
    return ledgerPool.getConnection();
  }

  @Override
  public void close() throws IOException {
    ledgerPool.close();
    provider.destroyForcibly();
    provider.onExit().join();
    database.close();
    ledgerDatabase.close();
    if (!kept) {
      remove();
    }
  }

  private void remove() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
