package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class SandboxContractTest implements ProviderContract {
  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  private SandboxServer sandbox;
  private SandboxLedgerCount ledger;

  @BeforeEach
  void start() throws IOException {
    ServerMigrations.migrate(postgres.dataSource());
    sandbox = SandboxServer.start(new SandboxLedger(postgres.dataSource()), 0);
    ledger = new SandboxLedgerCount(postgres.dataSource());
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Override
  public Optional<Stage> set(Scene scene) {
    URI address = scene == Scene.UNREACHABLE ? URI.create("http://127.0.0.1:1") : sandbox.uri();
    ProviderContext context = new ProviderContext(name -> null, Path.of("."), () -> address);
    ObjectNode none = JsonNodeFactory.instance.objectNode();
    Provider provider = new SandboxType().create("sandbox-a", none, context);
    byte[] input = ("{\"script\":{\"sandbox-a\":" + script(scene) + "}}").getBytes(UTF_8);
    return Optional.of(new Stage(provider, input, ledger::requests));
  }

  @Override
  public Optional<FarSide> farSide() throws IOException {
    return Optional.of(SandboxFarSide.start(postgres.dataSource(), "{}"));
  }

  private static String script(Scene scene) {
    return switch (scene) {
      case SUCCESS -> "{}";
      case LATE_SUCCESS -> "{\"answer_after_ms\":750}";
      case REFUSAL -> "{\"outcome\":\"refuse\"}";
      case HOSTILE_WORDS -> hostileWords();
      case UNREACHABLE -> "{}";
      case SILENCE -> "{\"outcome\":\"hang\"}";
      case CUT -> "{\"outcome\":\"drop_after\"}";
      case GARBAGE -> "{\"outcome\":\"status\",\"status\":200,\"body\":\"<html>\"}";
      case TOO_LARGE -> body("1234567890", 500_000);
      case TOO_DEEP -> body("[", 500);
    };
  }

  private static String hostileWords() {
    return "{\"outcome\":\"status\",\"status\":400,\"body\":\"\\u0000\\u001b[31m"
        + "x".repeat(5_000)
        + "\"}";
  }

  private static String body(String body, int times) {
    return "{\"outcome\":\"status\",\"status\":200,\"body\":\""
        + body
        + "\",\"body_repeat\":"
        + times
        + "}";
  }
}
