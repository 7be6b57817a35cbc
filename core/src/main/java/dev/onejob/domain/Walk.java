package dev.onejob.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a job has come along its route.
 *
 * @param goesOnAt the provider at which it goes on by itself; null: the first of the route
 * @param givenUp providers that it does not come back to by itself: they have failed for good, were
 *     stopped, or were abandoned
 * @param notBefore by provider, before when it is not come back to by itself: its own wish, or the
 *     backoff. To the microsecond
 */
public record Walk(
    @Nullable String goesOnAt, List<String> givenUp, Map<String, Instant> notBefore) {
  /** At the first provider of the route, with none given up. */
  public static final Walk START = new Walk(null, List.of());

  public Walk {
    givenUp = List.copyOf(givenUp);
    notBefore = Map.copyOf(notBefore);
  }

  /** Where no provider is to be waited for. */
  public Walk(@Nullable String goesOnAt, List<String> givenUp) {
    this(goesOnAt, givenUp, Map.of());
  }

  /** What is past is forgotten. */
  Walk remembering(String provider, Instant until, Instant now) {
    Map<String, Instant> times = new HashMap<>();
    notBefore.forEach((name, time) -> remember(times, name, time, now));
    remember(times, provider, until.truncatedTo(ChronoUnit.MICROS), now);
    return new Walk(goesOnAt, givenUp, times);
  }

  private static void remember(
      Map<String, Instant> times, String provider, Instant until, Instant now) {
    if (until.isAfter(now)) {
      times.merge(provider, until, (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  /** Not before this, and not before what is remembered. */
  Instant earliest(String provider, Instant from) {
    Instant until = notBefore.get(provider);
    return until == null || until.isBefore(from) ? from : until;
  }

  String at(List<String> route) {
    return goesOnAt == null ? route.getFirst() : goesOnAt;
  }

  Walk goingOnAt(String provider, List<String> route) {
    return new Walk(provider.equals(route.getFirst()) ? null : provider, givenUp, notBefore);
  }

  Walk givingUp(String provider) {
    if (givenUp.contains(provider)) {
      return this;
    }
    List<String> more = new ArrayList<>(givenUp);
    more.add(provider);
    return new Walk(goesOnAt, more, notBefore);
  }

  /** Whoever decides to go on at a provider means it, whatever it has done before. */
  Walk backTo(String provider, List<String> route) {
    List<String> others = givenUp.stream().filter(each -> !each.equals(provider)).toList();
    Map<String, Instant> times = new HashMap<>(notBefore);
    times.remove(provider);
    return new Walk(goesOnAt, others, times).goingOnAt(provider, route);
  }

  /**
   * The providers that are left: the one where it is, then the others in the order of the route.
   */
  List<String> left(List<String> route) {
    List<String> left = new ArrayList<>();
    left.add(at(route));
    route.stream().filter(provider -> !left.contains(provider)).forEach(left::add);
    left.removeAll(givenUp);
    return left;
  }
}
