package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A job that has gone around a provider and comes back to it. */
class ComingBackTest {
  private static final Duration WISH = Duration.ofMinutes(5);

  private static JobEvent.Fail fails(AttemptId attempt, Retryability retryability, Duration delay) {
    return new JobEvent.Fail(
        attempt, new Failure("status-503", "busy"), retryability, delay, Scenario.FAILURE);
  }

  /** The first has wished for five minutes, and the job is at the fallback. */
  private static Life goneAround() {
    Life three =
        Scenario.after(
            Scenario.exclusive(),
            new JobEvent.Start(Scenario.FIRST, Scenario.PRIMARY, StartCause.DISPATCH));
    Life allowed = three.with(three.job().withLimits(5, null));
    Life around =
        Scenario.after(
            Scenario.FIRST_DOWN, allowed, fails(Scenario.FIRST, Retryability.RETRYABLE, WISH));
    assertThat(around.job().goesOnAt()).isEqualTo(Scenario.FALLBACK);
    assertThat(around.job().runAt()).isEqualTo(Scenario.NOW);
    return Scenario.after(
        Scenario.QUALIFIED,
        around,
        new JobEvent.Start(Scenario.SECOND, Scenario.FALLBACK, StartCause.DISPATCH));
  }

  private static Life backAt(Instant now) {
    JobEvent.Fail failure = fails(Scenario.SECOND, Retryability.FINAL, Duration.ZERO);
    return Lifecycle.apply(goneAround(), failure, now, Scenario.QUALIFIED).life();
  }

  @Test
  void does_not_ask_it_before_the_time_that_it_had_wished_for() {
    Life back = backAt(Scenario.NOW);

    assertThat(back.job().goesOnAt()).isEqualTo(Scenario.PRIMARY);
    assertThat(back.job().runAt()).isEqualTo(Scenario.NOW.plus(WISH));
  }

  @Test
  void asks_it_at_once_when_that_time_is_over() {
    Instant later = Scenario.NOW.plus(WISH);

    assertThat(backAt(later).job().runAt()).isEqualTo(later);
    assertThat(backAt(later).job().walk().notBefore()).isEmpty();
  }

  @Test
  void remembers_it_while_a_rival_is_still_live() {
    Life racing = Scenario.racing();
    Life life =
        Scenario.after(
            racing.with(racing.job().withLimits(5, null)),
            new JobEvent.Start(Scenario.FIRST, Scenario.PRIMARY, StartCause.DISPATCH),
            new JobEvent.Accepted(Scenario.FIRST),
            new JobEvent.Start(Scenario.SECOND, Scenario.FALLBACK, StartCause.RACE),
            fails(Scenario.FIRST, Retryability.RETRYABLE, WISH),
            new JobEvent.Untaken(Scenario.SECOND, Scenario.STOP));

    assertThat(life.job().goesOnAt()).isEqualTo(Scenario.PRIMARY);
    assertThat(life.job().runAt()).isEqualTo(Scenario.NOW.plus(WISH));
    assertThat(life.job().attemptsAllowed()).isEqualTo(6);
  }
}
