package dev.onejob.providers.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A program that does what its input says, and leaves a line for each start and each effect. */
final class CommandFarSide implements FarSide {
  private static final Duration HELD = Duration.ofSeconds(2);

  private static final String SCRIPT =
      """
      echo start >> starts
      case "$(cat)" in
        *SERVE*) echo effect >> effects; echo '{}';;
        *LOSE_ANSWER*) echo effect >> effects; kill -KILL $$;;
        *HOLD*) sleep 2; echo effect >> effects; echo '{}';;
      esac
      """;

  private final Path folder;
  private final Provider provider;

  CommandFarSide(Path folder) {
    this.folder = folder;
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.putArray("command").add("sh").add("-c").add(SCRIPT);
    ProviderContext context =
        new ProviderContext(System::getenv, folder, () -> URI.create("http://unused"));
    provider = new CommandType().create("program", settings, context);
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    return switch (fate) {
      case SERVE, LOSE_ANSWER, HOLD -> Optional.of(("{\"fate\":\"" + fate + "\"}").getBytes(UTF_8));
      case LOSE_REQUEST, ACCEPT, FAIL_UNHEARD -> Optional.empty();
    };
  }

  @Override
  public Tally tally() {
    return new Tally(lines("starts"), 0, 0, lines("effects"));
  }

  private int lines(String file) {
    try {
      Path path = folder.resolve(file);
      return Files.exists(path) ? Files.readAllLines(path).size() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void release() {
    await().pollDelay(HELD.plusMillis(500)).until(() -> true);
  }

  @Override
  public void close() {
    provider.close();
  }
}
