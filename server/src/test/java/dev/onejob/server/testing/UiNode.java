package dev.onejob.server.testing;

import dev.onejob.domain.Owner;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lends a class a whole service with its dashboard, as an operator would start it, over a database
 * of its own. Belongs into a static field. Tests of one class keep apart by owners and keys.
 */
public final class UiNode implements BeforeAllCallback, AfterAllCallback {
  private final PostgresExtension postgres = new PostgresExtension();
  private final String config;
  private final Map<String, String> environment;
  private Service service;
  private ApiKeys keys;
  private Path folder;
  private int made;

  /** With the built-in kinds {@code demo} and {@code demo-race} on two sandbox providers. */
  public UiNode() {
    this(
        """
        kinds:
          demo:
            effect: exclusive
            route: [sandbox-a, sandbox-b]
            attempt_timeout: 2s
          demo-race:
            effect: harmless
            route: [sandbox-a, sandbox-b]
            attempt_timeout: 5s
            race: {after: 500ms}
        providers:
          sandbox-a: {type: sandbox}
          sandbox-b: {type: sandbox}
        """);
  }

  /**
   * With a configuration of its own.
   *
   * @param config YAML, without a database
   */
  public UiNode(String config) {
    this(config, Map.of());
  }

  /** The same, with variables in its environment. */
  public UiNode(String config, Map<String, String> environment) {
    this.config = config;
    this.environment = environment;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    postgres.beforeAll(context);
    try {
      folder = Files.createTempDirectory("onejob-ui");
      Files.writeString(folder.resolve("onejob.yaml"), config);
      service = another("ui-node");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    keys = new ApiKeys(postgres.dataSource());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (service != null) {
      service.close();
    }
    postgres.afterAll(context);
  }

  /** One more node over the same database; the caller's to close. */
  public Service another(String name) {
    SettingsLoader loader = new SettingsLoader(ProviderTypes.ALL, environment::get, folder);
    return Service.start(
        loader
            .load(folder.resolve("onejob.yaml"))
            .with(new Overrides(postgres.url(), null, 0, folder.resolve(name), name)),
        ProviderTypes.ALL,
        environment::get);
  }

  /** Where it listens. */
  public URI uri() {
    return service.uri();
  }

  /** Its database. */
  public DataSource dataSource() {
    return postgres.dataSource();
  }

  /** The API keys of its deployment. */
  public ApiKeys keys() {
    return Objects.requireNonNull(keys, "only inside a test");
  }

  /** The secret of a new key. */
  public String secret(Role role, String owner) {
    String name = role.word() + "-" + ++made + "-of-" + owner;
    return keys().create(name, role, new Owner(owner)).secret();
  }

  /** Withdraws a key with that of an operator. */
  public void withdraw(NewKey key) {
    UUID by = keys().create("withdraws", Role.OPERATOR, new Owner("house")).key().id();
    if (keys().withdraw(key.key().id(), by) != ApiKeys.Withdrawal.DONE) {
      throw new AssertionError("not withdrawn: " + key.key());
    }
  }

  /** A caller of the API with a new key. */
  public ApiClient client(Role role, String owner) {
    return new ApiClient(uri(), secret(role, owner));
  }

  /** A person without a browser, who has logged in with a new key. */
  public UiClient person(Role role, String owner) {
    UiClient person = new UiClient(uri());
    person.logIn(secret(role, owner));
    return person;
  }
}
