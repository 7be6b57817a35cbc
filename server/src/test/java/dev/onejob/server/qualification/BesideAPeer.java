package dev.onejob.server.qualification;

import dev.onejob.domain.Qualification;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A bench on a database of its own, whose provider {@code backup} is a peer without a fault. */
abstract class BesideAPeer {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  FaultyPeer peer;
  Bench bench;

  @BeforeEach
  void open() throws Exception {
    peer = FaultyPeer.start(null);
    bench =
        Bench.over(postgres.dataSource(), Bench.promise(folder), Map.of("backup", peer.baseUrl()));
  }

  @AfterEach
  void close() {
    bench.close();
    peer.close();
  }

  final List<Qualification> passes() {
    return bench.engine().proofs().all("invoice", "backup", null, 10);
  }
}
