package dev.onejob.bench;

import java.time.Duration;
import java.util.List;

/** Whole lives by the library, beside what a script makes of the same tables. */
final class LivesComparison {
  private static final Duration TURN = Duration.ofSeconds(4);
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 7;

  private final Ground ground;

  LivesComparison(Ground ground) {
    this.ground = ground;
  }

  String run() throws Exception {
    String ours = ground.create("lives");
    String scripts = ground.create("script");
    try (LibraryLives library = new LibraryLives(ours, ground)) {
      List<Contestant> all =
          List.of(library, new ScriptLives(scripts, 1), new ScriptLives(scripts, 2));
      Rounds.run(WARM_UP_ROUNDS, TURN, all);
      library.forgetCosts();
      Rounds rounds = Rounds.run(ROUNDS, TURN, all);
      return table(rounds, library);
    }
  }

  private static String table(Rounds rounds, LibraryLives library) {
    String one = ScriptLives.name(1);
    String two = ScriptLives.name(2);
    return """
        ### Whole lives: admitted, started, settled

        | | lives/s |
        | --- | ---: |
        | library, 32 at a time | %.0f |
        | %s | %.0f |
        | %s | %.0f |

        | | ratio | wanted |
        | --- | ---: | ---: |
        | library ÷ %s | **%.2f** | ≥ 0.5 |
        | library ÷ %s | **%.2f** | |

        %s
        """
        .formatted(
            rounds.median(LibraryLives.NAME),
            one,
            rounds.median(one),
            two,
            rounds.median(two),
            one,
            rounds.ratio(LibraryLives.NAME, one),
            two,
            rounds.ratio(LibraryLives.NAME, two),
            library.costs());
  }
}
