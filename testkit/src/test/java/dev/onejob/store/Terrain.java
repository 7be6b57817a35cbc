package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Life;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Objection.Reason;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Ways;
import dev.onejob.domain.Ways.OpenCircuit;
import dev.onejob.domain.Ways.Way;
import dev.onejob.domain.WhenPressed;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a random history goes through besides its own events: qualifications that come and go, and
 * circuits that open and close. It is changed in PostgreSQL, and known here as the model has it.
 */
final class Terrain {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private enum Circuit {
    CLOSED,
    HALF_OPEN,
    OPEN
  }

  private final StoreFixture store;
  private final Random random;
  private final Map<String, Circuit> circuits = new HashMap<>();
  private final Map<String, AttemptId> trials = new HashMap<>();
  private boolean qualified;
  private int breaches; // in a row, of the newest pass

  Terrain(StoreFixture store, Random random) {
    this.store = store;
    this.random = random;
    withdraw();
    set(StoreFixture.PRIMARY, Circuit.CLOSED);
    set(StoreFixture.FALLBACK, Circuit.CLOSED);
  }

  /** Perhaps changes something; says what. */
  List<String> change() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> {
        store.qualify();
        qualified = true;
        breaches = 0;
        yield List.of("qualified");
      }
      case 2 -> {
        withdraw();
        yield List.of("withdrawn");
      }
      case 3 -> {
        String provider = random.nextBoolean() ? StoreFixture.PRIMARY : StoreFixture.FALLBACK;
        Circuit circuit = Circuit.values()[random.nextInt(3)];
        set(provider, circuit);
        yield List.of(provider + " " + circuit);
      }
      default -> List.of();
    };
  }

  private void withdraw() {
    store.qualifications.withdraw(StoreFixture.KIND, StoreFixture.FALLBACK, "gone", "test");
    qualified = false;
  }

  private void set(String provider, Circuit circuit) {
    circuits.put(provider, circuit);
    trials.remove(provider);
    store.setCircuit(
        provider,
        switch (circuit) {
          case CLOSED -> null;
          case HALF_OPEN -> Duration.ofHours(-1);
          case OPEN -> Duration.ofHours(10);
        });
  }

  /** Hears what came of an event of the history. */
  void heard(JobEvent event, Answer answer, Life life) {
    if (event instanceof JobEvent.Breached breached && answer instanceof Answer.Moved) {
      breached(life.attempt(breached.attempt()).orElseThrow().provider());
    }
    started(event, answer);
  }

  private void breached(String provider) {
    breaches += provider.equals(StoreFixture.FALLBACK) ? 1 : 0;
    qualified &= breaches < StoreFixture.BREACHES_MAX;
  }

  /** A start by itself through a half open circuit is its trial. */
  private void started(JobEvent event, Answer answer) {
    if (event instanceof JobEvent.Start start
        && start.cause() != StartCause.BUTTON
        && answer instanceof Answer.Started
        && circuits.get(start.provider()) != Circuit.CLOSED) {
      trials.put(start.provider(), start.attempt());
    }
  }

  Ways ways(Life life) {
    return new Ways(
        Map.of(
            StoreFixture.PRIMARY, way(StoreFixture.PRIMARY, life, true),
            StoreFixture.FALLBACK, way(StoreFixture.FALLBACK, life, qualified)),
        WhenPressed.ALLOW);
  }

  private Way way(String provider, Life life, boolean proved) {
    Objection unproved = proved ? null : new Objection(provider, Reason.WITHDRAWN, "withdrawn");
    return new Way(unproved, circuit(provider, life));
  }

  private OpenCircuit circuit(String provider, Life life) {
    AttemptId trial = trials.get(provider);
    boolean tried =
        trial != null
            && life.attempt(trial).map(AttemptStanding::state).filter(Terrain::atWork).isPresent();
    return switch (circuits.get(provider)) {
      case CLOSED -> null;
      case HALF_OPEN -> new OpenCircuit(NOW, !tried, "half open");
      case OPEN -> new OpenCircuit(NOW.plus(Duration.ofHours(10)), false, "open");
    };
  }

  private static boolean atWork(AttemptState state) {
    return state == AttemptState.STARTING || state == AttemptState.RUNNING;
  }
}
