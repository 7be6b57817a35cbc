package dev.onejob.domain;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a job has come along its route.
 *
 * @param goesOnAt the provider at which it goes on by itself; null: the first of the route
 * @param givenUp providers that it does not come back to by itself: they have failed for good, were
 *     stopped, or were abandoned
 */
public record Walk(@Nullable String goesOnAt, List<String> givenUp) {
  /** At the first provider of the route, with none given up. */
  public static final Walk START = new Walk(null, List.of());

  public Walk {
    givenUp = List.copyOf(givenUp);
  }

  String at(List<String> route) {
    return goesOnAt == null ? route.getFirst() : goesOnAt;
  }

  Walk goingOnAt(String provider, List<String> route) {
    return new Walk(provider.equals(route.getFirst()) ? null : provider, givenUp);
  }

  Walk givingUp(String provider) {
    if (givenUp.contains(provider)) {
      return this;
    }
    List<String> more = new ArrayList<>(givenUp);
    more.add(provider);
    return new Walk(goesOnAt, more);
  }

  /** Whoever decides to go on at a provider means it, whatever it has done before. */
  Walk backTo(String provider, List<String> route) {
    List<String> others = givenUp.stream().filter(each -> !each.equals(provider)).toList();
    return new Walk(goesOnAt, others).goingOnAt(provider, route);
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
