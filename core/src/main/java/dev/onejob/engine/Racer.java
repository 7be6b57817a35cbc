package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.StartCause;
import dev.onejob.store.StoreException;
import dev.onejob.store.Sweeps;
import dev.onejob.store.Sweeps.Rival;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts races: a second attempt beside one that has been running for as long as its job demands,
 * by the database clock, whoever holds it. The look is a hint; the guard of every start decides.
 * Any number of nodes may look at once.
 */
final class Racer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Racer.class);

  private final Sweeps sweeps;
  private final Dispatcher dispatcher;
  private final Slots slots;
  private final ProviderHealth health;
  private final EngineConfig config;
  private final Runnable onOffer;
  private final Pass pass;

  /**
   * Makes one.
   *
   * @param onOffer run when there is something new for workers to fetch
   */
  Racer(
      EngineConfig config,
      Stores stores,
      Dispatcher dispatcher,
      Slots slots,
      ProviderHealth health,
      Runnable onOffer) {
    this.config = config;
    this.sweeps = stores.sweeps();
    this.dispatcher = dispatcher;
    this.slots = slots;
    this.health = health;
    this.onOffer = onOffer;
    this.pass = new Pass("race", config.sweepInterval(), this::raceOnce);
  }

  void start() {
    pass.start();
  }

  /** An attempt of this node may be raced from now on. */
  void signal() {
    pass.signal();
  }

  void raceOnce() {
    List<Rival> rivals = dispatcher.closed() ? List.of() : rivals();
    if (!rivals.isEmpty()) {
      sweeps.ripe(rivals, config.demands().keySet(), Limits.BATCH_MAX).forEach(this::race);
    }
  }

  private List<Rival> rivals() {
    List<String> providers = providersWithRoom();
    List<Rival> rivals = new ArrayList<>();
    for (Kind kind : config.kinds()) {
      providers.stream()
          .filter(provider -> mayRace(kind.name(), kind.route(), provider))
          .forEach(provider -> rivals.add(new Rival(kind.name(), provider)));
    }
    return rivals;
  }

  /** As far as this node knows: it has proved what it should, and answers. */
  private boolean mayRace(String kind, List<String> route, String provider) {
    return health.passable(provider)
        && health.ways(kind, List.of(provider)).unproved(route, provider) == null;
  }

  /** Where an attempt could be started now: a slot is free, or workers fetch the work. */
  private List<String> providersWithRoom() {
    List<String> room = new ArrayList<>(slots.free() == 0 ? List.of() : slots.providersWithRoom());
    config.providers().keySet().stream().filter(dispatcher::isPulled).forEach(room::add);
    return room;
  }

  private void race(Sweeps.Ripe ripe) {
    Kind kind = Objects.requireNonNull(dispatcher.kind(ripe.kind()));
    rival(ripe)
        .filter(dispatcher::knowsProvider)
        .ifPresent(
            provider -> {
              if (dispatcher.isPulled(provider)) {
                offer(ripe, kind, provider);
              } else {
                dispatcher.race(ripe.job(), kind, provider);
              }
            });
  }

  /** The next of the route that may be used; one that has no slot at the moment is waited for. */
  private Optional<String> rival(Sweeps.Ripe ripe) {
    return ripe.untried().stream()
        .filter(provider -> mayRace(ripe.kind(), ripe.route(), provider))
        .findFirst();
  }

  private void offer(Sweeps.Ripe ripe, Kind kind, String provider) {
    try {
      if (dispatcher.offerToWorkers(ripe.job(), kind, provider, StartCause.RACE, null).orElse(null)
          instanceof Answer.Started) {
        onOffer.run();
      }
    } catch (StoreException e) { // of a start that was written all the same, workers find the offer
      LOG.warn("{} is not known to be raced, it is looked at again: {}", ripe.job(), e.toString());
    }
  }

  @Override
  public void close() {
    pass.close();
  }
}
