package dev.onejob.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.soak.Breach.Promise;
import dev.onejob.testkit.PostgresProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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

  private static final int SECONDS = 60;

  /** A crooked soak ends with its breach; this bounds one whose breach does not come. */
  private static final int CROOKED_SECONDS_MAX = 90;

  /** A breach needs few jobs; all of them are judged every half second. */
  private static final int CROOKED_JOBS_PER_SECOND = 10;

  @TempDir Path folder;

  static boolean isPostgresInstalled() {
    return PostgresProcess.isInstalled();
  }

  private static Report soak(int seconds, int jobsPerSecond, @Nullable Twist twist)
      throws Exception {
    Report report = Soak.run(new SoakSettings(seconds, SEED, jobsPerSecond, twist));
    report.print(System.out);
    return report;
  }

  @Test
  void nothing_is_lost_runs_twice_or_hangs_while_nodes_and_workers_die_freeze_and_are_cut_off()
      throws Exception {
    Report report = soak(SECONDS, JOBS_PER_SECOND, null);

    assertThat(report.tables().jobs()).hasSizeGreaterThan(1_000);
    assertThat(report.tables().jobs())
        .filteredOn(job -> job.kind().equals(Scripts.PULLED) && job.completedBy() != null)
        .hasSizeGreaterThan(100);
    assertThat(report.tables().jobs())
        .filteredOn(job -> job.kind().equals(Scripts.PAID) && job.completedBy() != null)
        .as("payments that nobody but a replay could find out about, among others")
        .hasSizeGreaterThan(30);
    assertThat(report.breaches()).isEmpty();
  }

  @Test
  void without_the_start_guard_the_same_soak_reports_breaches() throws Exception {
    Twist twist =
        new Twist(
            CrookedStore.withoutTheStartGuard(folder),
            breach -> breach.promise() == Promise.EFFECTS_ARE_EXCUSED,
            stage -> List.of());

    assertThat(soak(CROOKED_SECONDS_MAX, CROOKED_JOBS_PER_SECOND, twist).breaches()).isNotEmpty();
  }

  @Test
  void without_the_version_in_the_swap_an_attempt_abandoned_before_it_wins_and_is_reported()
      throws Exception {
    Set<String> forced = ConcurrentHashMap.newKeySet();
    Twist twist =
        new Twist(
            CrookedStore.withoutTheVersionInTheSwap(folder),
            breach ->
                breach.promise() == Promise.FENCED_STAYS_FENCED
                    && forced.contains(breach.subject()),
            stage -> List.of(new ForcedAbandon(stage, forced)));

    assertThat(soak(CROOKED_SECONDS_MAX, CROOKED_JOBS_PER_SECOND, twist).breaches()).isNotEmpty();
  }
}
