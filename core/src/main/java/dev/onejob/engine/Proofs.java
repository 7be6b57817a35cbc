package dev.onejob.engine;

import dev.onejob.domain.Circuit;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Qualification;
import dev.onejob.provider.Capabilities;
import dev.onejob.store.Circuits;
import dev.onejob.store.QualificationRuns;
import dev.onejob.store.Qualifications;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which providers have proved that they keep which contract, and which of them answer. What is
 * recorded or withdrawn here holds at once on every node. Safe for many threads.
 */
public final class Proofs {
  private final SortedMap<String, Capabilities> providers;
  private final Qualifications qualifications;
  private final Circuits circuits;
  private final Chronicle chronicle;
  private final Runnable changed;

  Proofs(EngineConfig config, Stores stores, Chronicle chronicle, Runnable changed) {
    this.providers = new TreeMap<>();
    config
        .providers()
        .forEach((name, slot) -> this.providers.put(name, slot.provider().capabilities()));
    this.qualifications = stores.qualifications();
    this.circuits = stores.circuits();
    this.chronicle = chronicle;
    this.changed = changed;
  }

  /** Keeps a pass; jobs that wait for it go on. */
  public Qualification record(Qualification.Pass pass) {
    Qualification kept = qualifications.record(pass);
    changed.run();
    return kept;
  }

  /**
   * Ends a run of a qualification, with the pass that it proves or, if it failed, the withdrawal of
   * those of the same binding; all of it or nothing.
   *
   * @param pass what the run proves if it has passed; the binding that it is about in any case
   * @param by who withdraws, if it has failed
   * @return false if the run had ended or was stopped; nothing was changed
   */
  public boolean conclude(QualificationRuns.Judged judged, Qualification.Pass pass, String by) {
    Optional<Qualifications.Concluded> concluded = qualifications.conclude(judged, pass, by);
    concluded.ifPresent(
        done -> {
          done.withdrawn().forEach(chronicle::withdrawn);
          if (done.pass() != null || !done.withdrawn().isEmpty()) {
            changed.run();
          }
        });
    return concluded.isPresent();
  }

  /**
   * Withdraws every pass of a provider for a kind.
   *
   * @param reason for people
   * @param by the name of who decides
   * @return those that were withdrawn; empty if none was there
   * @throws IllegalArgumentException if reason or name cannot be kept; nothing was changed
   */
  public List<Qualification> withdraw(String kind, String provider, String reason, String by) {
    Decisions.requireText("a reason", reason, Limits.REASON_CHARS_MAX);
    Decisions.requireText("the name of who decides", by, Limits.DECIDED_BY_CHARS_MAX);
    List<Qualification> withdrawn = qualifications.withdraw(kind, provider, reason, by);
    withdrawn.forEach(chronicle::withdrawn);
    if (!withdrawn.isEmpty()) {
      changed.run();
    }
    return withdrawn;
  }

  /**
   * Passes with their history, newest first.
   *
   * @param kind null: of every kind
   * @param provider null: of every provider
   * @param before only those of a lower id; null: from the newest on
   * @param limit capped at {@link Limits#PAGE_MAX}
   */
  public List<Qualification> all(
      @Nullable String kind, @Nullable String provider, @Nullable Long before, int limit) {
    return qualifications.all(kind, provider, before, Math.clamp(limit, 1, Limits.PAGE_MAX));
  }

  /** One pass. */
  public Optional<Qualification> one(long id) {
    return qualifications.one(id);
  }

  /**
   * A provider of this node.
   *
   * @param capabilities what it declares, on this node
   * @param circuit as all nodes share it; null: it has never failed to answer
   */
  public record ProviderState(String name, Capabilities capabilities, @Nullable Circuit circuit) {}

  /** The providers of this node, by name. */
  public List<ProviderState> providers() {
    List<Circuit> known = circuits.all();
    return providers.entrySet().stream()
        .map(
            each ->
                new ProviderState(each.getKey(), each.getValue(), circuit(known, each.getKey())))
        .toList();
  }

  private static @Nullable Circuit circuit(List<Circuit> known, String provider) {
    return known.stream().filter(each -> each.provider().equals(provider)).findFirst().orElse(null);
  }
}
