package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** A sandbox whose scripts play the fates, and whose ledger counts. */
public final class SandboxFarSide implements FarSide {
  private static final int HELD_MILLIS = 1_500;

  private final SandboxServer sandbox;
  private final SandboxLedgerCount ledger;
  private final AtomicInteger sent = new AtomicInteger();
  private final Provider provider;

  private SandboxFarSide(SandboxServer sandbox, SandboxLedgerCount ledger, String settings) {
    this.sandbox = sandbox;
    this.ledger = ledger;
    ProviderContext context = new ProviderContext(name -> null, Path.of("."), this::address);
    provider =
        new SandboxType().create("sandbox-a", JsonMapper.shared().readTree(settings), context);
  }

  /** One with these settings over that database. */
  public static SandboxFarSide start(DataSource database, String settings) throws IOException {
    ServerMigrations.migrate(database);
    return new SandboxFarSide(
        SandboxServer.start(new SandboxLedger(database), 0),
        new SandboxLedgerCount(database),
        settings);
  }

  /** Asked for each request that leaves, whatever it is for. */
  private URI address() {
    sent.incrementAndGet();
    return sandbox.uri();
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    String first =
        switch (fate) {
          case SERVE -> "{}";
          case LOSE_ANSWER -> "{\"outcome\":\"drop_after\"}";
          case LOSE_REQUEST -> "{\"outcome\":\"drop_before\"}";
          case ACCEPT -> "{\"outcome\":\"drop_after\",\"accept_after_ms\":0}";
          case HOLD -> "{\"outcome\":\"hang\",\"effect_after_ms\":" + HELD_MILLIS + "}";
          case FAIL_UNHEARD ->
              "{\"outcome\":\"drop_before\",\"accept_after_ms\":0,"
                  + "\"lookup\":{\"says\":\"failed\"}}";
        };
    return Optional.of(("{\"script\":{\"sandbox-a\":[" + first + ",{}]}}").getBytes(UTF_8));
  }

  @Override
  public Tally tally() {
    int requests = ledger.requests();
    return new Tally(requests, Math.max(0, sent.get() - requests), 0, ledger.effects());
  }

  @Override
  public void release() {
    await().pollDelay(Duration.ofMillis(HELD_MILLIS + 500)).until(() -> true);
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
