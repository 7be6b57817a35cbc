package dev.onejob.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.*;
import dev.onejob.store.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.ThreadLocalRandom;

final class StoreBatches {
  static void run(String url) throws Exception {
    try (HikariDataSource pool = Ground.pool(url, 2)) {
      Admissions admissions = new Admissions(pool);
      Claims claims = new Claims(pool);
      Settlements settlements = new Settlements(pool);
      for (int round = 0; round < 1; round++) {
        for (int n :
            System.getProperty("n") == null
                ? new int[] {1, 4, 10, 32, 100}
                : new int[] {Integer.getInteger("n")}) {
          double[] t = new double[3];
          double[] c = new double[3];
          int times = Integer.getInteger("times", Math.max(20, 2000 / n));
          List<List<MoveRequest>> starts = new ArrayList<>();
          List<List<MoveRequest>> finishes = new ArrayList<>();
          Cost c0 = Cost.now(url, Ground.postmaster);
          long t0 = System.nanoTime();
          for (int i = 0; i < times; i++) {
            List<NewJob> jobs = new ArrayList<>();
            for (int k = 0; k < n; k++) jobs.add(job());
            admissions.admit(jobs);
            starts.add(
                jobs.stream()
                    .map(
                        j ->
                            new MoveRequest(
                                j.id(),
                                new JobEvent.Start(
                                    AttemptId.next(
                                        System.currentTimeMillis(), ThreadLocalRandom.current()),
                                    BenchKinds.PROVIDER,
                                    StartCause.DISPATCH),
                                new MoveRequest.Departure("bench", UUID.randomUUID(), 1000000)))
                    .toList());
          }
          t[0] = (System.nanoTime() - t0) / 1e3 / times;
          Cost c1 = Cost.now(url, Ground.postmaster);
          c[0] = c1.minus(c0).children().toNanos() / 1e3 / times;
          t0 = System.nanoTime();
          for (List<MoveRequest> s : starts) {
            List<Optional<Answer>> a = claims.start(s);
            List<MoveRequest> f = new ArrayList<>();
            for (int k = 0; k < n; k++) {
              Answer.Started st = (Answer.Started) a.get(k).orElseThrow();
              byte[] r = LibraryLives.INPUT.getBytes(StandardCharsets.UTF_8);
              f.add(
                  new MoveRequest(
                      s.get(k).job(),
                      new JobEvent.Finish(
                          st.attempt(),
                          new Report(Report.Outcome.SUCCEEDED, "0".repeat(64), r.length)),
                      new MoveRequest.Payload(
                          new Result(Result.Format.JSON, r), null, st.jobVersion())));
            }
            finishes.add(f);
          }
          t[1] = (System.nanoTime() - t0) / 1e3 / times;
          Cost c2 = Cost.now(url, Ground.postmaster);
          c[1] = c2.minus(c1).children().toNanos() / 1e3 / times;
          t0 = System.nanoTime();
          for (List<MoveRequest> f : finishes) {
            if (!settlements.claimSlots(f).stream().allMatch(Optional::isPresent))
              throw new IllegalStateException();
          }
          t[2] = (System.nanoTime() - t0) / 1e3 / times;
          Cost c3 = Cost.now(url, Ground.postmaster);
          c[2] = c3.minus(c2).children().toNanos() / 1e3 / times;
          System.out.printf(
              "n=%d wall us: admit %.0f start %.0f settle %.0f   pg cpu: %.0f %.0f %.0f  per life wall %.0f cpu %.0f%n",
              n,
              t[0],
              t[1],
              t[2],
              c[0],
              c[1],
              c[2],
              (t[0] + t[1] + t[2]) / n,
              (c[0] + c[1] + c[2]) / n);
        }
      }
    }
  }

  static NewJob job() {
    return new NewJob(
        JobId.next(System.currentTimeMillis(), ThreadLocalRandom.current()),
        new Owner("bench"),
        new IntentKey(UUID.randomUUID().toString()),
        BenchKinds.KIND,
        Effect.EXCLUSIVE,
        new Fingerprint(1, new byte[32]),
        LibraryLives.INPUT.getBytes(StandardCharsets.UTF_8),
        List.of(BenchKinds.PROVIDER),
        null,
        null,
        0,
        List.of(),
        new JobStanding.KindRules(3, null, WhenUnqualified.WAIT));
  }
}
