package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

/** What must hold of every job, and of every move. */
final class Laws {
  private Laws() {}

  /** The same that the CHECKs of the tables say. */
  static void holdFor(Life life) {
    JobStanding job = life.job();
    long starting = life.attempts().stream().filter(a -> is(a, AttemptState.STARTING)).count();
    long inDoubt = life.attempts().stream().filter(a -> is(a, AttemptState.UNKNOWN)).count();
    long live = life.attempts().stream().filter(a -> a.state().live()).count();
    assertThat(job.starting()).isEqualTo((int) starting);
    assertThat(job.inDoubt()).isEqualTo((int) inDoubt);
    assertThat(job.live()).isEqualTo((int) live).isLessThanOrEqualTo(Limits.LIVE_ATTEMPTS_MAX);
    assertThat(job.attemptsStarted())
        .isEqualTo(life.attempts().size())
        .isLessThanOrEqualTo(job.attemptsAllowed());
    assertThat(job.state()).isEqualTo(ruled(job));
    assertThat(job.runAt() != null)
        .isEqualTo(job.state() == JobState.QUEUED && job.waitingFor() == null);
    assertThat(job.waitingFor() == null || job.state() == JobState.QUEUED).isTrue();
    assertThat(job.failure() != null).isEqualTo(job.state() == JobState.FAILED);
    assertThat(job.contested() && job.runAt() != null).isFalse();
    if (job.completedBy() == null) {
      life.attempts().stream()
          .filter(a -> a.state().live())
          .forEach(a -> assertThat(a.jobVersion()).isEqualTo(job.version()));
    }
    assertThat(life.attempts().stream().filter(a -> is(a, AttemptState.SUCCEEDED)).count())
        .as("L4: one result")
        .isEqualTo(job.completedBy() == null ? 0 : 1);
  }

  private static boolean is(AttemptStanding attempt, AttemptState state) {
    return attempt.state() == state;
  }

  private static JobState ruled(JobStanding job) {
    if (job.completedBy() != null) {
      return JobState.SUCCEEDED;
    }
    if (job.inDoubt() > 0) {
      return JobState.UNKNOWN;
    }
    if (job.live() > 0) {
      return JobState.RUNNING;
    }
    if (job.cancelRequestedAt() != null) {
      return JobState.CANCELLED;
    }
    return job.state() == JobState.FAILED ? JobState.FAILED : JobState.QUEUED;
  }

  static void holdBetween(Life before, JobEvent event, Lifecycle.Move move, Ways ways) {
    Life after = move.life();
    holdFor(after);
    assertThat(after.job().version()).isGreaterThanOrEqualTo(before.job().version());
    onceEndedStaysEnded(before, event, after);
    reopensOnlyWhatFailed(before, event, after);
    startsOnlyWithoutDoubt(before, event, after);
    goesByItselfOnlyToTheProved(before, event, after, ways);
    reroutesOnlyWhatWaits(before, event, after);
    doubtEndsOnlyByEvidenceOrDecision(before, event, after);
    if (!after.equals(before)) {
      assertThat(move.answer()).isNotInstanceOf(Answer.NotAllowed.class);
      assertThat(move.answer()).isNotInstanceOf(Answer.StartRefused.class);
      assertThat(move.answer()).isNotInstanceOf(Answer.Repeated.class);
    }
  }

  private static void reopensOnlyWhatFailed(Life before, JobEvent event, Life after) {
    if (!(event instanceof JobEvent.Reopen) || before.equals(after)) {
      return;
    }
    assertThat(before.job().state()).isEqualTo(JobState.FAILED);
    assertThat(before.job().contested()).isFalse();
    assertThat(after.job().state()).isEqualTo(JobState.QUEUED);
    assertThat(after.job().version()).isGreaterThan(before.job().version());
    assertThat(after.job().attemptsStarted()).isEqualTo(before.job().attemptsStarted());
    assertThat(after.attempts()).isEqualTo(before.attempts());
  }

  private static void onceEndedStaysEnded(Life before, JobEvent event, Life after) {
    if (before.job().state().terminal() && !(event instanceof JobEvent.Reopen)) {
      assertThat(after.job().state()).isEqualTo(before.job().state());
      assertThat(after.job().completedBy()).isEqualTo(before.job().completedBy());
    }
    if (before.job().completedBy() != null) {
      assertThat(after.job().version()).isEqualTo(before.job().version());
    }
    for (AttemptStanding was : before.attempts()) {
      if (!was.state().live()) {
        assertThat(after.attempt(was.id())).contains(was);
      }
    }
  }

  private static void startsOnlyWithoutDoubt(Life before, JobEvent event, Life after) {
    if (after.attempts().size() == before.attempts().size()) {
      return;
    }
    JobStanding job = before.job();
    assertThat(event).isInstanceOf(JobEvent.Start.class);
    assertThat(job.starting()).as("L3: silence is not failure").isZero();
    assertThat(job.inDoubt()).as("L3: silence is not failure").isZero();
    assertThat(job.live()).isLessThanOrEqualTo(job.raceAfter() == null ? 0 : 1);
    assertThat(job.cancelRequestedAt()).isNull();
    assertThat(job.contested()).isFalse();
    assertThat(job.state().terminal()).isFalse();
  }

  private static void goesByItselfOnlyToTheProved(
      Life before, JobEvent event, Life after, Ways ways) {
    JobStanding job = before.job();
    boolean started = after.attempts().size() > before.attempts().size();
    if (!started || !(event instanceof JobEvent.Start start)) {
      return;
    }
    boolean first = start.provider().equals(job.route().getFirst());
    Objection unproved = first ? null : ways.of(start.provider()).unproved();
    boolean lacks = unproved != null && unproved.reason() != Objection.Reason.NO_CONTRACT;
    switch (start.cause()) {
      case DISPATCH -> {
        assertThat(unproved).as("L5: no proof, no failover").isNull();
        assertThat(start.provider()).isEqualTo(job.goesOnAt());
        assertThat(ways.of(start.provider()).circuit()).isNull();
      }
      case BUTTON ->
          assertThat(!lacks || ways.whenPressed() == WhenPressed.ALLOW)
              .as("L5: no proof, no failover")
              .isTrue();
      case RACE -> {
        assertThat(lacks).as("L5: no proof, no failover").isFalse();
        assertThat(job.live()).as("a race has two sides").isEqualTo(1);
        assertThat(ways.of(start.provider()).circuit()).isNull();
      }
    }
  }

  private static void reroutesOnlyWhatWaits(Life before, JobEvent event, Life after) {
    if (!(event instanceof JobEvent.Reroute) || before.equals(after)) {
      return;
    }
    assertThat(before.job().live()).isZero();
    assertThat(before.job().state()).isEqualTo(JobState.QUEUED);
    assertThat(before.job().waitingFor()).isNotEqualTo(WaitingFor.DECISION);
    assertThat(after.attempts()).isEqualTo(before.attempts());
    assertThat(after.job().version()).isEqualTo(before.job().version());
  }

  private static void doubtEndsOnlyByEvidenceOrDecision(Life before, JobEvent event, Life after) {
    for (AttemptStanding was : before.attempts()) {
      Optional<AttemptStanding> is = after.attempt(was.id());
      boolean cleared =
          is(was, AttemptState.UNKNOWN) && !is(is.orElseThrow(), AttemptState.UNKNOWN);
      if (cleared) {
        assertThat(speaksOf(event)).as("L7: doubt ends by evidence or decision").contains(was.id());
      }
    }
  }

  private static Optional<AttemptId> speaksOf(JobEvent event) {
    return switch (event) {
      case JobEvent.Accepted e -> Optional.of(e.attempt());
      case JobEvent.Finish e -> Optional.of(e.attempt());
      case JobEvent.Fail e -> Optional.of(e.attempt());
      case JobEvent.Breached e -> Optional.of(e.attempt());
      case JobEvent.Stopped e -> Optional.of(e.attempt());
      case JobEvent.Untaken e -> Optional.of(e.attempt());
      case JobEvent.Silence e -> Optional.of(e.attempt());
      case JobEvent.Resolve e -> Optional.of(e.attempt());
      case JobEvent.ResolveDone e -> Optional.of(e.attempt());
      case JobEvent.Doubt e -> Optional.empty();
      case JobEvent.Start e -> Optional.empty();
      case JobEvent.CancelRequest e -> Optional.empty();
      case JobEvent.Acknowledge e -> Optional.empty();
      case JobEvent.Reopen e -> Optional.empty();
      case JobEvent.Reroute e -> Optional.empty();
      case JobEvent.DeadlineReached e -> Optional.empty();
    };
  }
}
