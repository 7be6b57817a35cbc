package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Circuit;
import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Ways;
import dev.onejob.domain.WhenPressed;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.Outcome;
import dev.onejob.store.Circuits;
import dev.onejob.store.Qualifications;
import dev.onejob.store.Qualifications.Wanted;
import dev.onejob.store.StoreException;
import dev.onejob.store.Strays.Qualified;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node knows of its providers: a view of the circuits and qualifications of all nodes,
 * read anew from time to time, and its own word about what it hears. The view spares useless work
 * and useless writes; the guard of each start decides by the database.
 */
final class ProviderHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderHealth.class);

  private final Circuits circuits;
  private final Qualifications qualifications;
  private final Chronicle chronicle;
  private final Map<String, Demand> demands;
  private final Map<String, CircuitPolicy> policies = new HashMap<>();
  private final Map<String, Circuit> seen = new ConcurrentHashMap<>();
  private final Set<String> tried = ConcurrentHashMap.newKeySet();
  private final Set<String> foundShut = ConcurrentHashMap.newKeySet();
  private final Set<Qualified> broken = ConcurrentHashMap.newKeySet();
  private final Runnable tellOthers;
  private final ReentrantLock looking = new ReentrantLock(); // an old look must not come last
  private volatile Map<Qualified, Qualification> holding = Map.of();

  /**
   * Makes one.
   *
   * @param tellOthers run when a provider begins to fail or to break a contract here: then the
   *     answers that other nodes hear count too
   */
  ProviderHealth(EngineConfig config, Stores stores, Chronicle chronicle, Runnable tellOthers) {
    this.tellOthers = tellOthers;
    this.circuits = stores.circuits();
    this.qualifications = stores.qualifications();
    this.chronicle = chronicle;
    this.demands = config.demands();
    config
        .providers()
        .forEach(
            (name, slot) -> {
              if (!slot.pulled()) { // nobody calls it, so that nobody hears that it is down
                policies.put(name, slot.circuit());
              }
            });
  }

  /** Reads it all anew. */
  void lookOnce() {
    looking.lock();
    try {
      look();
    } finally {
      looking.unlock();
    }
  }

  private void look() {
    Map<String, Circuit> now = new HashMap<>();
    circuits.all().forEach(circuit -> now.put(circuit.provider(), circuit));
    seen.keySet().retainAll(now.keySet());
    seen.putAll(now);
    tried.clear();
    foundShut.clear();
    now.values().forEach(chronicle::circuit);
    List<Wanted> wanted =
        demands.entrySet().stream()
            .flatMap(
                demand ->
                    demand.getValue().bindings().entrySet().stream()
                        .map(each -> new Wanted(demand.getKey(), each.getKey(), each.getValue())))
            .toList();
    Map<Qualified, Qualification> holds = new HashMap<>();
    if (!wanted.isEmpty()) {
      for (Qualification pass : qualifications.holding(wanted)) {
        holds.put(new Qualified(pass.kind(), pass.provider()), pass);
      }
    }
    holding = Map.copyOf(holds);
  }

  /** The fallbacks that may be used by themselves, as far as their qualification goes. */
  List<Qualified> qualified() {
    return List.copyOf(holding.keySet());
  }

  /** The providers where no attempt may be started by itself at the moment. */
  List<String> shut() {
    return seen.keySet().stream().filter(provider -> !passable(provider)).toList();
  }

  /** Whether an attempt may be started there by itself at the moment. */
  boolean passable(String provider) {
    Circuit circuit = seen.get(provider);
    return (circuit == null || circuit.passable()) && !foundShut.contains(provider);
  }

  /**
   * A start was refused there since its circuit is open: until the next look nobody tries again.
   */
  void foundShut(String provider) {
    foundShut.add(provider);
  }

  /** Whether its circuit is not open, and not half open either, as far as is known here. */
  boolean isClosed(String provider) {
    Circuit circuit = seen.get(provider);
    return circuit == null || circuit.opened() == null;
  }

  /**
   * The same as {@link #passable}, and takes the one trial that a half open circuit has for now.
   */
  boolean mayStart(String provider) {
    Circuit circuit = seen.get(provider);
    if (circuit == null || circuit.opened() == null) {
      return !foundShut.contains(provider);
    }
    return circuit.passable() && tried.add(provider);
  }

  /** What this node believes of the providers of a route; the guard of a move looks for itself. */
  Ways ways(String kind, List<String> route) {
    Demand demand = demands.get(kind);
    Map<String, Ways.Way> ways = new HashMap<>();
    route.forEach(provider -> ways.put(provider, way(kind, provider, demand)));
    return new Ways(ways, demand == null ? WhenPressed.ALLOW : demand.whenPressed());
  }

  private Ways.Way way(String kind, String provider, @Nullable Demand demand) {
    Objection unproved =
        demand == null
            ? Ways.withoutContract(provider)
            : new Objection(provider, Objection.Reason.NEVER_QUALIFIED, "no valid qualification");
    boolean holds = holding.containsKey(new Qualified(kind, provider));
    return new Ways.Way(holds ? null : unproved, circuit(provider));
  }

  private Ways.@Nullable OpenCircuit circuit(String provider) {
    Circuit circuit = seen.get(provider);
    Circuit.Opened opened = circuit == null ? null : circuit.opened();
    return circuit == null || opened == null
        ? null
        : new Ways.OpenCircuit(opened.until(), circuit.passable(), circuit.failure().code());
  }

  /** Hears what came of a call: before it is written, so that the next step of the job knows. */
  void heard(Speaker speaker, Outcome outcome) {
    CircuitPolicy policy = policies.get(speaker.provider());
    if (policy == null || speaker.evident()) {
      return;
    }
    try {
      switch (outcome) {
        case Outcome.Refused refused -> refused(speaker, refused, policy);
        case Outcome.InDoubt doubt -> unanswered(speaker, policy);
        case Outcome.Failed failed -> answered(speaker.provider());
        case Outcome.Succeeded succeeded -> answered(speaker.provider());
        case Outcome.Stopped stopped -> {}
      }
    } catch (StoreException e) { // what it said is written all the same, or tried again there
      LOG.warn("the circuit of {} is not kept: {}", speaker.provider(), e.getMessage());
    }
  }

  /** A refusal without a status is our own or the adapter's, and no word of the provider's. */
  private void refused(Speaker speaker, Outcome.Refused refused, CircuitPolicy policy) {
    String code = refused.failure().code();
    boolean isDown =
        refused.retryability() == Retryability.RETRYABLE
            && (code.equals("connect-failed") || code.matches("status-5[0-9]{2}"));
    if (isDown) {
      Circuit circuit =
          circuits.failed(speaker.provider(), speaker.attempt(), refused.failure(), policy);
      changed(circuit);
    } else if (code.startsWith("status-")) {
      answered(speaker.provider());
    }
  }

  /** The provider has taken the work on: that is an answer, however long the work will take. */
  void accepted(Speaker speaker) {
    if (!policies.containsKey(speaker.provider()) || speaker.evident()) {
      return;
    }
    try {
      answered(speaker.provider());
    } catch (StoreException e) {
      LOG.warn("the circuit of {} is not kept: {}", speaker.provider(), e.getMessage());
    }
  }

  /** The attempt is in doubt, since its node was not heard of: if it was a trial, that is over. */
  void lapsed(AttemptId attempt) {
    try {
      seen.values().stream()
          .filter(circuit -> circuit.opened() != null)
          .map(Circuit::provider)
          .filter(policies::containsKey)
          .forEach(
              provider ->
                  circuits
                      .unanswered(provider, attempt, Objects.requireNonNull(policies.get(provider)))
                      .ifPresent(this::changed));
    } catch (StoreException e) {
      LOG.warn("whether {} was a trial is not known: {}", attempt, e.getMessage());
    }
  }

  private void unanswered(Speaker speaker, CircuitPolicy policy) {
    Circuit circuit = seen.get(speaker.provider());
    if (circuit != null && circuit.opened() != null) {
      circuits.unanswered(speaker.provider(), speaker.attempt(), policy).ifPresent(this::changed);
    }
  }

  private void answered(String provider) {
    Circuit circuit = seen.get(provider);
    if (circuit != null && (circuit.failures() > 0 || circuit.opened() != null)) {
      circuits.answered(provider).ifPresent(this::changed);
    }
  }

  private void changed(Circuit now) {
    Circuit before = seen.put(now.provider(), now);
    foundShut.remove(now.provider()); // newer than what a refused start has told
    chronicle.circuit(now);
    boolean wasOpen = before != null && before.opened() != null;
    boolean failed = before != null && before.failures() > 0;
    if (now.failures() > 0 != failed || (now.opened() != null) != wasOpen) {
      tellOthers.run();
    }
    Circuit.Opened opened = now.opened();
    if (opened != null && !wasOpen) {
      LOG.warn(
          "{} failed {} times in a row, last with {}: it is left alone until {}",
          now.provider(),
          now.failures(),
          now.failure().code(),
          opened.until());
    } else if (opened == null && wasOpen) {
      LOG.info("{} answers again", now.provider());
    }
  }

  /** A breach was counted: whoever wins next ends the streak, on this node at once. */
  void broke(Kind kind, String provider) {
    if (binding(kind, provider) != null && broken.add(new Qualified(kind.name(), provider))) {
      tellOthers.run();
    }
  }

  /** An attempt has won: the provider kept the contract. */
  void kept(Kind kind, String provider) {
    Qualified qualified = new Qualified(kind.name(), provider);
    Qualification pass = holding.get(qualified);
    Binding binding = binding(kind, provider);
    boolean brokeHere = broken.remove(qualified); // a breach from here on counts anew
    if (binding == null || !(brokeHere || (pass != null && pass.breaches() > 0))) {
      return;
    }
    try {
      qualifications.kept(kind.name(), provider, binding);
    } catch (StoreException e) {
      broken.add(qualified);
      LOG.warn("the streak of {} is not ended: {}", provider, e.getMessage());
    }
  }

  /** A model has answered; if another one was qualified under the same name, that is over. */
  void answeredBy(Kind kind, String provider, String model) {
    Binding binding = binding(kind, provider);
    if (binding == null || nothingToWithdraw(kind, provider, model)) {
      return;
    }
    try {
      qualifications
          .answeredBy(kind.name(), provider, binding, model)
          .forEach(chronicle::withdrawn);
    } catch (StoreException e) {
      LOG.warn("the model of {} is not compared: {}", provider, e.getMessage());
    }
  }

  /** Of a fallback whose pass this node has not read yet, the database has to be asked. */
  private boolean nothingToWithdraw(Kind kind, String provider, String model) {
    Qualification pass = holding.get(new Qualified(kind.name(), provider));
    if (pass == null) {
      return provider.equals(kind.route().getFirst());
    }
    String qualified = pass.answeringModel();
    return qualified == null || model.equals(qualified);
  }

  private @Nullable Binding binding(Kind kind, String provider) {
    Demand demand = demands.get(kind.name());
    return demand == null ? null : demand.bindings().get(provider);
  }
}
