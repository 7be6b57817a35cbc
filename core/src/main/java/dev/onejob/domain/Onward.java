package dev.onejob.domain;

import dev.onejob.domain.JobStanding.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job goes on along its route when nothing of it is live (DESIGN 4.4).
 *
 * @param objections what spoke against the providers that were passed over
 */
record Onward(Place place, Walk walk, List<Objection> objections) {

  /** A place that has nothing to do with the route. */
  static Onward at(Place place, Walk walk) {
    return new Onward(place, walk, List.of());
  }

  /**
   * The first usable one of the providers that are left.
   *
   * @param from where it is
   * @param failure what the job fails with if none is left; null: nothing new has failed
   * @param notBefore for the provider where the walk is; every other one may be asked now, or when
   *     it may be come back to
   */
  static Onward along(
      JobStanding job,
      Walk from,
      @Nullable Failure failure,
      Instant notBefore,
      Instant now,
      Ways ways) {
    Walk walk = from.remembering(from.at(job.route()), notBefore, now);
    List<String> left = walk.left(job.route());
    List<Objection> objections = new ArrayList<>();
    String waits = null;
    boolean unproved = false;
    for (String provider : left) {
      Ways.Way way = ways.of(provider);
      Objection lacks = provider.equals(job.route().getFirst()) ? null : way.unproved();
      Ways.OpenCircuit circuit = way.circuit();
      if (lacks != null && !ways.judged()) {
        if (waits == null) { // left to a node that knows the contract: nobody was passed over
          return at(
              Place.waitingFor(WaitingFor.QUALIFICATION), walk.goingOnAt(provider, job.route()));
        }
        break;
      } else if (lacks != null) {
        objections.add(lacks);
        unproved = true;
      } else if (circuit != null && !circuit.passable()) {
        objections.add(new Objection(provider, Objection.Reason.CIRCUIT_OPEN, circuit.says()));
        waits = waits == null ? provider : waits;
      } else {
        Instant open = provider.equals(walk.at(job.route())) ? notBefore : now;
        Instant runAt = walk.earliest(provider, open);
        return new Onward(
            Place.due(runAt), walk.goingOnAt(provider, job.route()), List.copyOf(objections));
      }
    }
    if (waits != null) {
      // Due when it would be by itself: whoever looks for due jobs passes a provider over while its
      // circuit is open, and finds them at once when it closes, or another may be asked.
      Instant open = waits.equals(walk.at(job.route())) ? notBefore : now;
      Instant runAt = walk.earliest(waits, open);
      return new Onward(
          Place.due(runAt), walk.goingOnAt(waits, job.route()), List.copyOf(objections));
    }
    Walk here = left.isEmpty() ? walk : walk.goingOnAt(left.getFirst(), job.route());
    return new Onward(
        unproved ? unqualified(job, failure) : Place.failed(nothingLeft(failure)),
        here,
        List.copyOf(objections));
  }

  private static Failure nothingLeft(@Nullable Failure failure) {
    return failure == null
        ? new Failure(Failure.NO_PROVIDER_LEFT, "no provider of the route is left")
        : failure;
  }

  private static Place unqualified(JobStanding job, @Nullable Failure failure) {
    return switch (job.whenUnqualified()) {
      case WAIT -> Place.waitingFor(WaitingFor.QUALIFICATION);
      case FAIL ->
          Place.failed(
              new Failure(
                  Failure.NO_QUALIFIED_PROVIDER,
                  (failure == null ? "" : failure.message() + "; ")
                      + "no other provider of the route is qualified"));
    };
  }

  /** The same, but that it ends nothing: instead the job waits until it may go on. */
  Onward withoutEnd() {
    return place.state() == JobState.FAILED
        ? new Onward(Place.waitingFor(WaitingFor.QUALIFICATION), walk, objections)
        : this;
  }

  /** Whether the job has come to stand where this says. */
  boolean isWhere(JobStanding job) {
    return place.equals(new Place(job.state(), job.waitingFor(), job.runAt(), job.failure()));
  }
}
