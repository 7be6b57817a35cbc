package dev.onejob.bench;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding.KindRules;
import dev.onejob.domain.Owner;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.store.Admissions;
import dev.onejob.store.DueJobs;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.NewJob;
import dev.onejob.store.ShortWay;
import dev.onejob.store.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/** How long one claim lasts: the look for a due job, and its start. The submit is not counted. */
final class ClaimTimes {
  private static final int FOUND_MAX = 64;
  private static final double NANOS_OF_A_MILLISECOND = 1e6;
  private static final long LEASE_MILLIS = Duration.ofMinutes(30).toMillis();
  private static final RandomGenerator RANDOM = RandomGenerator.getDefault();

  private final Admissions admissions;
  private final DueJobs dueJobs;
  private final ShortWay shortWay;

  ClaimTimes(DataSource database) {
    admissions = new Admissions(database);
    dueJobs = new DueJobs(database);
    shortWay = new ShortWay(database);
  }

  /** Claims until it is told to stop; milliseconds of each claim. */
  List<Double> until(BooleanSupplier over) {
    List<Double> millis = new ArrayList<>();
    while (!over.getAsBoolean()) {
      admissions.admit(List.of(job()));
      long from = System.nanoTime();
      claim();
      millis.add((System.nanoTime() - from) / NANOS_OF_A_MILLISECOND);
    }
    return millis;
  }

  private void claim() {
    List<DueJobs.Due> due =
        dueJobs.find(
            new DueJobs.Look(
                List.of(BenchKinds.KIND),
                List.of(BenchKinds.PROVIDER),
                List.of(),
                List.of(),
                FOUND_MAX));
    List<Write> starts = due.stream().<Write>map(one -> new Write.Start(start(one.id()))).toList();
    if (shortWay.write(starts).contains(Write.NOT_WRITTEN)) {
      throw new IllegalStateException("not all of " + due + " were started");
    }
    if (starts.isEmpty()) {
      throw new IllegalStateException("a job was admitted, and none is due");
    }
  }

  private static MoveRequest start(JobId job) {
    AttemptId attempt = AttemptId.next(System.currentTimeMillis(), RANDOM);
    return new MoveRequest(
        job,
        new JobEvent.Start(attempt, BenchKinds.PROVIDER, StartCause.DISPATCH),
        new MoveRequest.Departure("bench", UUID.randomUUID(), LEASE_MILLIS));
  }

  private static NewJob job() {
    return new NewJob(
        JobId.next(System.currentTimeMillis(), RANDOM),
        new Owner("claims"),
        new IntentKey(UUID.randomUUID().toString()),
        BenchKinds.KIND,
        Effect.EXCLUSIVE,
        new Fingerprint(1, new byte[Fingerprint.SHA256_BYTES]),
        "{\"page\":1}".getBytes(StandardCharsets.UTF_8),
        List.of(BenchKinds.PROVIDER),
        null,
        null,
        0,
        List.of(),
        new KindRules(3, null, WhenUnqualified.WAIT));
  }
}
