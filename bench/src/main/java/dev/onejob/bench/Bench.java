package dev.onejob.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

public final class Bench {
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("onejob-bench");
    try (Ground ground = Ground.prepare(folder)) {
      String url = ground.create("lives");
      String script = ground.create("script");
      if (args[0].equals("store")) {
        StoreBatches.run(script);
        return;
      }
      try (LibraryLives library = new LibraryLives(url)) {
        List<Contestant> all =
            List.of(library, new ScriptLives(script, 1), new ScriptLives(script, 2));
        Rounds.run(2, Duration.ofSeconds(4), all);
        Rounds rounds = Rounds.run(Integer.parseInt(args[0]), Duration.ofSeconds(4), all);
        for (int c : List.of(1, 2)) {
          System.out.println(
              rounds.median("library")
                  + " / "
                  + rounds.median(ScriptLives.name(c))
                  + " = "
                  + rounds.ratio("library", ScriptLives.name(c)));
        }
      }
    }
  }
}
