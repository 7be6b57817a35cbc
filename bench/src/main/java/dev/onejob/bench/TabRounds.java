package dev.onejob.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The same submits without any open page and with ten that are live, round by round in turn; which
 * of the two comes first changes from round to round.
 */
final class TabRounds {
  /** Of the issue: with ten tabs the submit p99 is less than a fifth longer. */
  static final double RATIO_MAX = 1.2;

  private static final int PER_SECOND_MAX = 300;
  private static final int ROUNDS = 7;
  private static final Duration ROUND = Duration.ofSeconds(20);

  /** With the tabs open, as the code of their parts has to be compiled as well. */
  private static final Duration WARM_UP = Duration.ofSeconds(60);

  /** Until every tab has fetched its parts for the first time. */
  private static final Duration OPENING = Duration.ofSeconds(2);

  private final URI base;
  private final String secret;
  private final OpenLoop loop;
  private final int perSecond;
  private final List<String> paths;
  private final List<Round> without = new ArrayList<>();
  private final List<Round> with = new ArrayList<>();
  private int renewed;
  private int failed;
  private boolean idle;

  /**
   * Over a node.
   *
   * @param secret of an operator
   * @param perSecond how fast may be submitted; 300 a second at most are
   * @param job one that a tab shows
   */
  TabRounds(URI base, String secret, OpenLoop loop, int perSecond, String job) {
    this.perSecond = Math.min(PER_SECOND_MAX, perSecond);
    this.base = base;
    this.secret = secret;
    this.loop = loop;
    this.paths =
        List.of(
            "/ui",
            "/ui",
            "/ui",
            "/ui/jobs",
            "/ui/jobs",
            "/ui/jobs?state=failed",
            "/ui/desk",
            "/ui/desk",
            "/ui/desk?what=in_doubt&kind=chat",
            "/ui/jobs/" + job);
  }

  private record Round(double p50, double p99, double p999) {
    static Round of(double[] sorted) {
      return new Round(
          OpenLoop.at(sorted, 0.5), OpenLoop.at(sorted, 0.99), OpenLoop.at(sorted, 0.999));
    }
  }

  void run() throws IOException, InterruptedException {
    withTabs(tabs -> loop.run(perSecond, WARM_UP));
    for (int round = 0; round < ROUNDS; round++) {
      if (round % 2 == 0) {
        alone();
        beside();
      } else {
        beside();
        alone();
      }
    }
  }

  private void alone() {
    Round round = Round.of(loop.run(perSecond, ROUND));
    without.add(round);
    Progress.say("without tabs: " + round);
  }

  private void beside() throws IOException, InterruptedException {
    withTabs(
        tabs -> {
          tabs.forEach(Tab::renewed);
          Round round = Round.of(loop.run(perSecond, ROUND));
          with.add(round);
          Progress.say("with tabs: " + round);
          for (Tab each : tabs) {
            int times = each.renewed();
            renewed += times;
            failed += each.failed();
            idle |= times == 0 && each.isAboutAll();
          }
        });
  }

  private void withTabs(Consumer<List<Tab>> round) throws IOException, InterruptedException {
    List<Tab> tabs = new ArrayList<>();
    try {
      for (String each : paths) {
        tabs.add(Tab.open(base, secret, each));
      }
      Thread.sleep(OPENING);
      round.accept(tabs);
    } finally {
      tabs.forEach(Tab::close);
    }
  }

  /** Whether the tabs were renewed as they should, and the submits not held up. */
  boolean isKept() {
    return !idle && failed == 0 && ratio() < RATIO_MAX;
  }

  private List<Double> ratios() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < with.size(); i++) {
      ratios.add(with.get(i).p99() / without.get(i).p99());
    }
    return ratios;
  }

  private double ratio() {
    return Rounds.median(ratios());
  }

  String table() {
    return """
        | %d submits a second, medians of %d rounds of %d s | 50 %% | 99 %% | 99.9 %% |
        | --- | ---: | ---: | ---: |
        | without tabs | %s |
        | with ten live tabs | %s |

        99 %% with to without, round by round: median %.2f, from %.2f to %.2f (below %.1f). \
        The tabs renewed %.1f parts a second; %d could not be renewed%s.
        """
        .formatted(
            perSecond,
            ROUNDS,
            ROUND.toSeconds(),
            figures(without),
            figures(with),
            ratio(),
            Collections.min(ratios()),
            Collections.max(ratios()),
            RATIO_MAX,
            renewed / (double) (ROUNDS * ROUND.toSeconds()),
            failed,
            idle ? ", and one heard of nothing" : "");
  }

  private static String figures(List<Round> rounds) {
    return "%.1f ms | %.1f ms | %.1f ms"
        .formatted(
            median(rounds, Round::p50), median(rounds, Round::p99), median(rounds, Round::p999));
  }

  private static double median(List<Round> rounds, Function<Round, Double> figure) {
    return Rounds.median(rounds.stream().map(figure).toList());
  }
}
