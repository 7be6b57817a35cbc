package dev.onejob.engine;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Life;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Ways;
import dev.onejob.store.DeskQueries;
import dev.onejob.store.DeskQueries.Waiting;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What waits for a person, with what can be decided about it. */
final class Desk {
  private static final DeskItem.Page NOTHING = new DeskItem.Page(List.of(), null);

  private final DeskQueries queries;
  private final ProviderHealth health;

  Desk(DeskQueries queries, ProviderHealth health) {
    this.queries = queries;
    this.health = health;
  }

  DeskItem.Page inDoubt(Access access, DeskFilter filter) {
    return page(access, filter, queries::inDoubt);
  }

  DeskItem.Page all(Access access, DeskFilter filter) {
    return page(access, filter, queries::desk);
  }

  DeskItem.Page open(Access access, DeskFilter filter) {
    return page(access, filter, queries::open);
  }

  List<DeskItem> inDoubt(Access access, Collection<AttemptId> attempts) {
    return queries.inDoubt(attempts).stream()
        .filter(waiting -> access.covers(waiting.job().owner()))
        .map(this::item)
        .toList();
  }

  Optional<DeskItem> decision(Access access, JobId job) {
    return queries
        .decision(job)
        .filter(waiting -> access.covers(waiting.job().owner()))
        .map(this::item);
  }

  private DeskItem.Page page(
      Access access, DeskFilter filter, Function<DeskQueries.Filter, List<Waiting>> query) {
    if (filter.owner() != null && !access.covers(filter.owner())) {
      return NOTHING;
    }
    Owner owner = filter.owner() == null ? access.owner() : filter.owner();
    int limit = Math.clamp(filter.limit(), 1, Limits.PAGE_MAX);
    List<Waiting> found =
        query.apply(
            new DeskQueries.Filter(
                owner, filter.kind(), filter.provider(), filter.after(), limit + 1));
    boolean more = found.size() > limit;
    List<DeskItem> items = found.stream().limit(limit).map(this::item).toList();
    DeskItem last = more ? items.getLast() : null;
    return new DeskItem.Page(
        items, last == null ? null : new DeskItem.Place(last.since(), last.id()));
  }

  private DeskItem item(Waiting waiting) {
    return new DeskItem(
        waiting.because(),
        waiting.id(),
        waiting.since(),
        waiting.age(),
        waiting.job(),
        waiting.effect(),
        waiting.attempt(),
        choices(waiting),
        waiting.mark());
  }

  private List<Choice> choices(Waiting waiting) {
    Ways ways = health.ways(waiting.job().kind(), waiting.life().job().route());
    Attempt attempt = waiting.attempt();
    return switch (waiting.because()) {
      case IN_DOUBT ->
          attempt == null
              ? List.of()
              : Choice.about(waiting.life(), attempt.standing().id(), waiting.now(), ways);
      case CONTESTED, DECISION -> {
        AttemptId none = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
        yield Choice.aboutJob(waiting.life(), none, waiting.now(), ways);
      }
    };
  }

  /** Where the fallback button starts an attempt if it is told no provider. */
  static String untried(Life life) {
    Set<String> tried =
        life.attempts().stream().map(AttemptStanding::provider).collect(Collectors.toSet());
    List<String> route = life.job().route();
    return route.stream()
        .filter(provider -> !tried.contains(provider))
        .findFirst()
        .orElse(route.getFirst());
  }
}
