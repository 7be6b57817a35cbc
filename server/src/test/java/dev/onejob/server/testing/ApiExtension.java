package dev.onejob.server.testing;

import dev.onejob.server.access.Role;
import dev.onejob.testkit.PostgresExtension;
import java.net.URI;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lends every test a database of its own, a node over it, and clients. In a static field it lends
 * one node to all tests of a class, and every test a client with an owner of its own.
 */
public final class ApiExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  private final PostgresExtension postgres = new PostgresExtension();
  private boolean shared;
  private int tests;
  private ApiNode node;
  private ApiClient client;
  private ApiClient operator;

  @Override
  public void beforeAll(ExtensionContext context) {
    shared = true;
    start(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!shared) {
      start(context);
    }
    client = node.client(Role.CLIENT, shared ? "shop-" + ++tests : "shop");
    operator = node.client(Role.OPERATOR, "house");
  }

  private void start(ExtensionContext context) {
    postgres.beforeEach(context);
    node = new ApiNode(postgres.dataSource());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!shared) {
      stop(context);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stop(context);
  }

  private void stop(ExtensionContext context) {
    node.close();
    postgres.afterEach(context);
  }

  /** The database beneath, for other nodes over it. */
  public DataSource database() {
    return postgres.dataSource();
  }

  /** The node. */
  public ApiNode node() {
    return Objects.requireNonNull(node, "only inside a test");
  }

  /** Where it listens. */
  public URI uri() {
    return node().uri();
  }

  /** Its database. */
  public DataSource dataSource() {
    return postgres.dataSource();
  }

  /** A client key of the owner {@code shop}, or of one like it. */
  public ApiClient client() {
    return client;
  }

  /** An operator key of the owner {@code house}. */
  public ApiClient operator() {
    return operator;
  }

  /** A job of the client, and its first attempt at provider {@code a} left in doubt. */
  public ApiAnswer jobInDoubt(String key) {
    String job = client.submit(key, "plain", "{}").at("/id");
    return ApiNode.awaitJob(client, job, "/state", "unknown");
  }
}
