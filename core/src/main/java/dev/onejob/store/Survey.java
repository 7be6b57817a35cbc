package dev.onejob.store;

import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Objection.Reason;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Ways;
import dev.onejob.domain.Ways.OpenCircuit;
import dev.onejob.domain.Ways.Way;
import dev.onejob.domain.WhenPressed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks, behind the lock of a job, at what is known of the providers of its route. What a start
 * relies on is locked as well: its qualification against a withdrawal, an open circuit against a
 * second trial.
 */
final class Survey {
  private final Map<String, Demand> demands;
  private final Starting starting;

  /** What the starts are that it is asked about. */
  enum Starting {
    /** Calls of providers. */
    CALLS,
    /** Work that is fetched: nobody calls its providers, so that they have no circuit. */
    FETCHES
  }

  /**
   * Makes one.
   *
   * @param demands of the kinds with a contract, as this node is configured
   */
  Survey(Map<String, Demand> demands, Starting starting) {
    this.demands = Map.copyOf(demands);
    this.starting = starting;
  }

  @Nullable Demand demand(String kind) {
    return demands.get(kind);
  }

  /**
   * What is known of the providers that this event may lead to.
   *
   * @param contracted whether the kind of the job had a contract when it was admitted
   */
  Ways ways(
      Connection connection, MoveRequest request, String kind, JobStanding job, boolean contracted)
      throws SQLException {
    return contracted && !demands.containsKey(kind)
        ? notJudged(connection, request, kind, job)
        : ways(connection, request, kind, job);
  }

  /** Circuits hold whatever is known of contracts; a start is refused before it comes to them. */
  private Ways notJudged(Connection connection, MoveRequest request, String kind, JobStanding job)
      throws SQLException {
    if (request.event() instanceof JobEvent.Start) {
      return Ways.NOT_JUDGED;
    }
    Ways seen = ways(connection, request, kind, job);
    return new Ways(seen.providers(), WhenPressed.REFUSE, /* judged= */ false);
  }

  private Ways ways(Connection connection, MoveRequest request, String kind, JobStanding job)
      throws SQLException {
    if (job.route().size() == 1 && !(request.event() instanceof JobEvent.Start)) {
      return Ways.WITHOUT_CONTRACT; // wherever it goes on, it is there
    }
    return switch (request.event()) {
      case JobEvent.Start e -> ofStart(connection, e, kind, job);
      case JobEvent.Fail e -> of(connection, kind, job.route());
      case JobEvent.Breached e -> of(connection, kind, job.route());
      case JobEvent.Untaken e -> of(connection, kind, job.route());
      case JobEvent.Resolve e -> of(connection, kind, job.route());
      case JobEvent.Acknowledge e -> of(connection, kind, job.route());
      case JobEvent.Reopen e -> of(connection, kind, job.route());
      case JobEvent.Reroute e -> of(connection, kind, job.route());
      case JobEvent.Accepted e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.Doubt e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.Finish e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.Stopped e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.Silence e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.CancelRequest e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.ResolveDone e -> Ways.WITHOUT_CONTRACT;
      case JobEvent.DeadlineReached e -> Ways.WITHOUT_CONTRACT;
    };
  }

  private static final String LOCK_QUALIFICATION =
      """
      SELECT q.id
      FROM onejob.qualification AS q
      WHERE q.kind = :kind AND q.provider = :provider AND q.binding = :binding
        AND q.withdrawn_at IS NULL
      ORDER BY q.id
      FOR SHARE
      """;

  private static final String LOCK_CIRCUIT =
      """
      SELECT c.provider
      FROM onejob.circuit AS c
      WHERE c.provider = :provider AND c.opened_at IS NOT NULL
      FOR UPDATE
      """;

  /**
   * The locks first; what is then looked at is what they hold. At the first provider of the route,
   * while its circuit is closed, there is nothing more to look at.
   */
  private Ways ofStart(Connection connection, JobEvent.Start start, String kind, JobStanding job)
      throws SQLException {
    Params params = new Params().set("kind", kind).set("provider", start.provider());
    boolean first = start.provider().equals(job.route().getFirst());
    Demand demand = demands.get(kind);
    Binding binding = demand == null ? null : demand.bindings().get(start.provider());
    if (binding != null && !first) {
      params.set("binding", binding.digest());
      Sql.query(connection, LOCK_QUALIFICATION, params, row -> row.getLong("id"));
    }
    boolean open =
        start.cause() != StartCause.BUTTON
            && starting == Starting.CALLS
            && !Sql.query(connection, LOCK_CIRCUIT, params, row -> Rows.text(row, "provider"))
                .isEmpty();
    if (first && !open) {
      return Ways.WITHOUT_CONTRACT;
    }
    Ways ways = of(connection, kind, List.of(start.provider()));
    return starting == Starting.CALLS ? ways : withoutCircuits(ways);
  }

  private static Ways withoutCircuits(Ways ways) {
    Map<String, Way> fetched = new HashMap<>();
    ways.providers()
        .forEach((provider, way) -> fetched.put(provider, new Way(way.unproved(), null)));
    return new Ways(fetched, ways.whenPressed());
  }

  /**
   * Of each provider the pass that is nearest to what is wanted: a valid one if there is one. While
   * an attempt tries an open circuit, those who wait look again soon.
   */
  private static final String LOOK =
      """
      SELECT
        clock_timestamp() AS now, w.provider AS asked,
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason,
        c.failures, c.failure_code,
        CASE WHEN a.id IS NULL THEN c.open_until
             ELSE greatest(
               c.open_until,
               clock_timestamp() + least(c.pause_ms, 5000) * interval '1 millisecond') END
          AS circuit_until,
        coalesce(a.id IS NULL AND c.open_until <= clock_timestamp(), false) AS passable
      FROM unnest(:providers::text[], :bindings::text[]) AS w (provider, binding)
      LEFT JOIN LATERAL (
        SELECT *
        FROM onejob.qualification AS p
        WHERE p.kind = :kind AND p.provider = w.provider
        ORDER BY
          (p.binding = w.binding) DESC, (p.withdrawn_at IS NULL) DESC, p.valid_until DESC,
          p.id DESC
        LIMIT 1) AS q ON true
      LEFT JOIN onejob.circuit AS c ON c.provider = w.provider AND c.opened_at IS NOT NULL
      LEFT JOIN onejob.attempt AS a
        ON a.id = c.trial_attempt AND a.state IN ('starting', 'running')
      """;

  private record Seen(String provider, Way way) {}

  private Ways of(Connection connection, String kind, List<String> providers) throws SQLException {
    Demand demand = demands.get(kind);
    Params params =
        new Params()
            .set("kind", kind)
            .column("providers", "text", providers, provider -> provider)
            .column("bindings", "text", providers, provider -> digest(demand, provider));
    Map<String, Way> ways = new HashMap<>();
    for (Seen seen : Sql.query(connection, LOOK, params, row -> seen(row, demand))) {
      ways.put(seen.provider(), seen.way());
    }
    return new Ways(ways, demand == null ? WhenPressed.ALLOW : demand.whenPressed());
  }

  private static String digest(@Nullable Demand demand, String provider) {
    Binding binding = demand == null ? null : demand.bindings().get(provider);
    return binding == null ? "" : binding.digest();
  }

  private static Seen seen(ResultSet row, @Nullable Demand demand) throws SQLException {
    String provider = Rows.text(row, "asked");
    return new Seen(provider, new Way(unproved(row, provider, demand), circuit(row, provider)));
  }

  private static @Nullable OpenCircuit circuit(ResultSet row, String provider) throws SQLException {
    Instant until = Rows.instantOrNull(row, "circuit_until");
    return until == null
        ? null
        : new OpenCircuit(
            until,
            row.getBoolean("passable"),
            "%s failed %d times in a row, last with %s; it is not asked before %s"
                .formatted(
                    provider, row.getInt("failures"), Rows.text(row, "failure_code"), until));
  }

  private static @Nullable Objection unproved(
      ResultSet row, String provider, @Nullable Demand demand) throws SQLException {
    if (demand == null) {
      return Ways.withoutContract(provider);
    }
    Binding wanted = demand.bindings().get(provider);
    if (wanted == null) {
      return new Objection(
          provider, Reason.NOT_CONFIGURED, "this node is not configured with " + provider);
    }
    row.getLong("id");
    return row.wasNull()
        ? new Objection(
            provider, Reason.NEVER_QUALIFIED, provider + " has never passed the checks of the kind")
        : flaw(Qualifications.read(row), wanted, Rows.instant(row, "now"));
  }

  /** The binding first: what was withdrawn or has expired since for another one does not matter. */
  private static @Nullable Objection flaw(Qualification pass, Binding wanted, Instant now) {
    if (pass.holds(wanted, now)) {
      return null;
    }
    Binding bound = pass.binding();
    if (!bound.contractHash().equals(wanted.contractHash())) {
      return changed(pass, Reason.CONTRACT_CHANGED, "the contract of the kind");
    }
    if (!bound.requestedModel().equals(wanted.requestedModel())) {
      return changed(pass, Reason.MODEL_CHANGED, "the model " + bound.requestedModel());
    }
    if (!bound.settingsHash().equals(wanted.settingsHash())) {
      return changed(pass, Reason.SETTINGS_CHANGED, "the settings of the provider");
    }
    if (!bound.adapterVersion().equals(wanted.adapterVersion())) {
      return changed(pass, Reason.ADAPTER_CHANGED, "the adapter " + bound.adapterVersion());
    }
    Qualification.Withdrawal withdrawal = pass.withdrawal();
    return withdrawal == null
        ? new Objection(
            pass.provider(),
            Reason.EXPIRED,
            "the pass of %s was good until %s".formatted(pass.provider(), pass.validUntil()))
        : new Objection(
            pass.provider(),
            Reason.WITHDRAWN,
            "the pass of %s was withdrawn by %s: %s"
                .formatted(pass.provider(), withdrawal.by(), withdrawal.reason()));
  }

  private static Objection changed(Qualification pass, Reason reason, String what) {
    return new Objection(
        pass.provider(),
        reason,
        "%s passed at %s, and %s has changed since"
            .formatted(pass.provider(), pass.passedAt(), what));
  }
}
