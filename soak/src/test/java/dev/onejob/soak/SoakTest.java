package dev.onejob.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.soak.Breach.Promise;
import dev.onejob.testkit.PostgresProcess;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The short soak: the promises hold, and the checker sees it when they do not. */
@Tag("soak")
@EnabledIf(value = "isPostgresInstalled", disabledReason = "PostgreSQL 15 is not installed")
class SoakTest {
  private static final long SEED = Long.getLong("onejob.test.soak-seed", 1);

  /** A test shares its machine: half of the load of a whole soak. */
  private static final int JOBS_PER_SECOND = 100;

  @TempDir Path folder;

  static boolean isPostgresInstalled() {
    return PostgresProcess.isInstalled();
  }

  private static Report soak(int seconds, Path inFront) throws Exception {
    Report report = Soak.run(new SoakSettings(seconds, SEED, JOBS_PER_SECOND, inFront));
    report.print(System.out);
    return report;
  }

  private static Set<Promise> broken(Report report) {
    return report.breaches().stream().map(Breach::promise).collect(Collectors.toSet());
  }

  @Test
  void nothing_is_lost_runs_twice_or_hangs_while_nodes_die_freeze_and_are_cut_off()
      throws Exception {
    Report report = soak(60, null);

    assertThat(report.tables().jobs()).hasSizeGreaterThan(1_000);
    assertThat(report.breaches()).isEmpty();
  }

  @Test
  void without_the_start_guard_the_same_soak_reports_breaches() throws Exception {
    Report report = soak(30, CrookedStore.withoutTheStartGuard(folder));

    assertThat(broken(report)).contains(Promise.EFFECTS_ARE_EXCUSED);
  }

  @Test
  void without_the_version_in_the_swap_an_abandoned_attempt_wins_and_is_reported()
      throws Exception {
    Report report = soak(30, CrookedStore.withoutTheVersionInTheSwap(folder));

    assertThat(broken(report)).contains(Promise.FENCED_STAYS_FENCED);
  }
}
