package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.RunId;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.check.Checks;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole qualification, through the real engine and the production adapter, against a peer with
 * each known fault in turn. The matrix in the documents is what this run finds.
 */
final class KnownFaultsTest {
  private static final Path DOCUMENT = Path.of("../docs/qualification-matrix.md");

  /** What the run found, for whoever changes a check. */
  private static final Path FOUND = Path.of("target/qualification-matrix.md");

  private static final String FAULTLESS = "faultless";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  @Test
  void each_fault_is_caught_by_its_check_in_words_that_name_it_and_the_faultless_peer_passes()
      throws Exception {
    List<FaultyPeer> peers = new ArrayList<>();
    Map<String, String> addresses = new LinkedHashMap<>();
    try {
      FaultyPeer faultless = FaultyPeer.start(null);
      peers.add(faultless);
      addresses.put(FAULTLESS, faultless.baseUrl());
      for (Fault fault : Fault.values()) {
        FaultyPeer peer = FaultyPeer.start(fault);
        peers.add(peer);
        addresses.put(name(fault), peer.baseUrl());
      }
      judged(addresses);
    } finally {
      peers.forEach(FaultyPeer::close);
    }
  }

  private static String name(Fault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void judged(Map<String, String> addresses) throws Exception {
    Map<Fault, JsonNode> reports = new EnumMap<>(Fault.class);
    try (Bench bench = Bench.over(postgres.dataSource(), Bench.promise(folder), addresses)) {
      Map<String, RunId> open = new LinkedHashMap<>();
      addresses.keySet().forEach(provider -> open.put(provider, bench.open(provider)));
      QualificationRun clean = bench.ended(open.get(FAULTLESS));
      assertThat(blocking(report(clean))).as("the faultless peer").isEmpty();
      assertThat(clean.state()).isEqualTo(State.PASSED);
      for (Fault fault : Fault.values()) {
        reports.put(fault, report(bench.ended(open.get(name(fault)))));
      }
    }
    reports.forEach(KnownFaultsTest::assertCaught);
    String found = matrix(reports);
    Files.writeString(FOUND, found);
    assertThat(Files.readString(DOCUMENT)).as("beside %s", FOUND).isEqualTo(found);
  }

  private static JsonNode report(QualificationRun run) {
    return new JsonMapper().readTree(run.report());
  }

  private static List<JsonNode> blocking(JsonNode report) {
    return report
        .path("checks")
        .valueStream()
        .filter(check -> !check.path("verdict").asString().matches("passed|not_applicable"))
        .toList();
  }

  private static void assertCaught(Fault fault, JsonNode report) {
    assertThat(report.path("passed").asBoolean()).as("%s passes", fault).isFalse();
    assertThat(failed(report)).as("checks that catch %s", fault).contains(fault.check);
    assertThat(evidence(report, fault.check)).as("words about %s", fault).contains(fault.says);
  }

  private static List<String> failed(JsonNode report) {
    return blocking(report).stream().map(check -> check.path("check").asString()).toList();
  }

  private static String evidence(JsonNode report, String id) {
    return report
        .path("checks")
        .valueStream()
        .filter(check -> check.path("check").asString().equals(id))
        .flatMap(check -> check.path("evidence").valueStream())
        .map(evidence -> evidence.path("says").asString())
        .collect(Collectors.joining("\n"));
  }

  private static String matrix(Map<Fault, JsonNode> reports) {
    StringBuilder page =
        new StringBuilder(
            """
            # What each check catches

            Made by `KnownFaultsTest`, which runs the whole qualification against a peer with one
            fault at a time and compares this page with what it finds. **X** is the check that has
            to catch the fault, x another gate that catches it as well, and · a gate to which no
            answer says anything, which is no pass either. The peer without a fault passes.

            """);
    List<String> ids = Checks.ALL.stream().map(Check::id).toList();
    page.append("| fault | ").append(String.join(" | ", ids)).append(" |\n");
    page.append("| --- |").append(" --- |".repeat(ids.size())).append('\n');
    reports.forEach(
        (fault, report) -> {
          page.append("| ").append(fault.inWords()).append(" |");
          ids.forEach(id -> page.append(' ').append(mark(report, fault, id)).append(" |"));
          page.append('\n');
        });
    page.append("\n## In which words\n\n| fault | check | evidence |\n| --- | --- | --- |\n");
    reports.forEach(
        (fault, report) ->
            page.append("| ")
                .append(fault.inWords())
                .append(" | ")
                .append(fault.check)
                .append(" | ")
                .append(words(report, fault))
                .append(" |\n"));
    return page.toString();
  }

  /** Reports are left out: what they compare with hangs on which run ended first. */
  private static String mark(JsonNode report, Fault fault, String id) {
    JsonNode check =
        report
            .path("checks")
            .valueStream()
            .filter(each -> each.path("check").asString().equals(id))
            .findFirst()
            .orElseThrow();
    if (!check.path("bearing").asString().equals("gate")) {
      return "";
    }
    return switch (check.path("verdict").asString()) {
      case "failed" -> id.equals(fault.check) ? "**X**" : "x";
      case "inconclusive" -> "·";
      default -> "";
    };
  }

  /** The first piece of evidence that names the fault, without what changes from run to run. */
  private static String words(JsonNode report, Fault fault) {
    return evidence(report, fault.check)
        .lines()
        .filter(line -> line.contains(fault.says))
        .findFirst()
        .orElse("")
        .replaceAll("canary-[0-9a-f]{8}", "canary-…")
        .replace("|", "\\|");
  }
}
