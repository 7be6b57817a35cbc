package dev.onejob.bench.contest;

import dev.onejob.bench.BenchKinds;
import dev.onejob.bench.peer.Peer;
import dev.onejob.bench.peer.PeerJob;
import dev.onejob.bench.peer.PeerProgram;
import dev.onejob.domain.Owner;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.server.http.ApiServer;
import dev.onejob.server.http.ApiSettings;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The API of Onejob before a node that works: keys, access check, intent, all of it. In the variant
 * that only admits, the jobs that come through the door are for workers, and none comes to fetch
 * them; the node is the same but for that kind.
 */
public final class OnejobDoorPeer implements Peer {
  /** The variant whose jobs wait for workers. */
  static final String ADMITS_ONLY = "admits-only";

  private final OnejobPeer library;
  private final ApiServer server;
  private final String secret;
  private final boolean admitsOnly;

  private OnejobDoorPeer(OnejobPeer library, boolean admitsOnly) {
    this.library = library;
    this.admitsOnly = admitsOnly;
    library.workersOn();
    ServerMigrations.migrate(library.pool());
    ApiKeys keys = new ApiKeys(library.pool());
    secret = keys.create("bench", Role.CLIENT, new Owner("bench")).secret();
    server =
        ApiServer.start(
            library.engine(),
            keys,
            job -> JsonNodeFactory.instance.objectNode(),
            new ApiSettings("127.0.0.1", 0));
  }

  /**
   * Serves the bench.
   *
   * @param args nothing, or {@link #ADMITS_ONLY}
   */
  public static void main(String[] args) {
    boolean admitsOnly = args.length > 0 && args[0].equals(ADMITS_ONLY);
    PeerProgram.run(
        (database, ledger) ->
            admitsOnly
                ? new OnejobDoorPeer(OnejobPeer.withFetched(database, ledger), true)
                : new OnejobDoorPeer(new OnejobPeer(database, ledger), false));
  }

  @Override
  public Description description() {
    Description of = library.description();
    return new Description(
        "Onejob server",
        admitsOnly ? "jobs for workers that do not come" : "",
        of.version(),
        of.settings(),
        of.store(),
        of.keeps(),
        of.doesNot(),
        of.batch());
  }

  @Override
  public Map<String, Object> http() {
    String url = "http://127.0.0.1:" + server.port() + "/v1/jobs";
    return Map.of(
        "one_way",
        url,
        "request_response",
        url,
        "key_header",
        "Idempotency-Key",
        "headers",
        Map.of("Authorization", "Bearer " + secret),
        "one_way_headers",
        Map.of("Prefer", "return=minimal"),
        "request_response_headers",
        Map.of("Prefer", "wait=20"),
        "before",
        "{\"kind\":\"" + (admitsOnly ? BenchKinds.FETCHED : BenchKinds.KIND) + "\",\"input\":",
        "after",
        "}");
  }

  @Override
  public void workersOn() {
    // They are on: the node works from the start.
  }

  @Override
  public void workersOff() {
    throw new UnsupportedOperationException("the node behind the door works always");
  }

  @Override
  public void submit(PeerJob job) {
    library.submit(job);
  }

  @Override
  public void submitAll(List<PeerJob> jobs) throws Exception {
    library.submitAll(jobs);
  }

  @Override
  public long unfinished() throws SQLException {
    return library.unfinished();
  }

  @Override
  public long kept() throws SQLException {
    return library.kept();
  }

  @Override
  public void close() {
    server.close();
    library.close();
  }
}
