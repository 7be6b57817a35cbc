package dev.onejob.bench.contest;

import dev.onejob.bench.Bench;
import dev.onejob.bench.Ground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/** Ten thousand attempts in flight on one node. */
final class FlightScene implements Scene {
  private static final String NAME = "flight";
  private static final double HEAP_MIB_MAX = 600;

  /**
   * Of leases of 30 s, renewed every 10 s: a renewal that is on time leaves 20 s, and five more are
   * for the statement that renews ten thousand, and for a machine that has other work to do.
   */
  private static final double LEASE_LEFT_MILLIS_MIN = 15_000;

  private final Sizes sizes;

  FlightScene(Sizes sizes) {
    this.sizes = sizes;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String play(Ground ground, Path folder, Pictures pictures)
      throws IOException, InterruptedException, SQLException {
    Path own = Files.createDirectory(folder.resolve(NAME));
    ground.createEmpty(NAME);
    PeerRecipe recipe =
        PeerRecipe.java(
            NAME,
            System.getProperty("java.class.path"),
            FlightProgram.class.getName(),
            Integer.toString(sizes.flights()));
    Map<String, String> environment = PeerRecipe.environment(ground, NAME, own);
    try (PeerProcess node = PeerProcess.start(recipe, environment, folder.resolve("node.log"))) {
      return report(node.ask("flight " + sizes.flightSeconds()));
    } catch (PeerProcess.UnavailableException e) {
      throw new IOException(e);
    } finally {
      ground.drop(NAME);
      Bench.delete(own);
    }
  }

  private String report(JsonNode said) {
    return """
        %,d attempts at once, kept in flight for %d s; all were under way after %,d ms.

        | what | reached | bar | |
        | --- | ---: | --- | --- |
        """
            .formatted(
                said.path("flights").asLong(),
                sizes.flightSeconds(),
                said.path("all_in_flight_ms").asLong())
        + most("heap after collection, MiB", said.path("heap_mib"), HEAP_MIB_MAX)
        + ContestReport.row(
            "heartbeats on time: least that was left of any lease of 30 s, ms",
            OptionalDouble.of(said.path("shortest_lease_left_ms").asDouble()),
            "≥ ",
            LEASE_LEFT_MILLIS_MIN,
            /* atLeast= */ true)
        + most("lapsed leases: attempts that ever were in doubt", said.path("in_doubt"), 0);
  }

  private static String most(String what, JsonNode reached, double bar) {
    return ContestReport.row(
        what, OptionalDouble.of(reached.asDouble()), "≤ ", bar, /* atLeast= */ false);
  }
}
