package dev.onejob.providers.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class CommandContractTest implements ProviderContract {
  @TempDir Path folder;

  @Override
  public Optional<Stage> set(Scene scene) {
    Path starts = folder.resolve("starts");
    return script(scene)
        .map(script -> new Stage(provider(script), "{}".getBytes(UTF_8), () -> lines(starts)));
  }

  private Provider provider(String script) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.putObject("exit_codes").put("2", "refused");
    if (script.isEmpty()) {
      settings.putArray("command").add("./not-there");
    } else {
      String counted = "echo $ONEJOB_ATTEMPT_ID >> starts; cat > /dev/null; " + script;
      settings.putArray("command").add("sh").add("-c").add(counted);
    }
    ProviderContext context =
        new ProviderContext(System::getenv, folder, () -> URI.create("http://unused"));
    return new CommandType().create("program", settings, context);
  }

  @Override
  public Optional<FarSide> farSide() {
    return Optional.of(new CommandFarSide(folder));
  }

  private static Optional<String> script(Scene scene) {
    return Optional.ofNullable(
        switch (scene) {
          case SUCCESS -> "echo '{\"text\":\"hello\"}'";
          case LATE_SUCCESS -> null; // a program is ended at the timeout
          case REFUSAL -> "exit 2";
          case HOSTILE_WORDS -> "printf '\\000\\033[31m%05000d' 1 >&2; exit 3";
          case UNREACHABLE -> "";
          case SILENCE -> "sleep 300";
          case CUT -> "kill -KILL $$";
          case GARBAGE -> "echo '<html>'";
          case TOO_LARGE -> "yes 1";
          case TOO_DEEP -> "printf '%0500d' 0 | tr 0 '['; printf '%0500d' 0 | tr 0 ']'";
        });
  }

  private static int lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
