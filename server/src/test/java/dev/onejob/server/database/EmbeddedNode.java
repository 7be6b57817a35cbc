package dev.onejob.server.database;

import dev.onejob.server.config.DatabaseSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/** A process that keeps a row in the embedded database of a folder, until it is killed. */
final class EmbeddedNode {
  private EmbeddedNode() {}

  public static void main(String[] args) throws SQLException, InterruptedException {
    Database database = Database.open(DatabaseSettings.of(null), Path.of(args[0]));
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept AS SELECT 42 AS answer");
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** Starts one and waits until its row is committed. */
  static Process start(Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedNode.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); !"ready".equals(line); line = out.readLine()) {
      if (line == null) {
        throw new IllegalStateException("ended before it was ready");
      }
    }
    return process;
  }
}
