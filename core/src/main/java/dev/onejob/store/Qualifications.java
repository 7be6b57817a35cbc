package dev.onejob.store;

import dev.onejob.domain.Binding;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Qualification.Pass;
import dev.onejob.domain.Qualification.Withdrawal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Which provider has proved that it keeps the contract of which kind: passes and their ends. */
public final class Qualifications {
  private final Sql sql;

  public Qualifications(DataSource database) {
    this.sql = new Sql(database);
  }

  private static final String RECORD =
      """
      INSERT INTO onejob.qualification (
        kind, provider, binding, contract_hash, settings_hash, adapter_version, requested_model,
        answering_model, run, passed_at, valid_until)
      SELECT
        :kind, :provider, :binding, :contract_hash, :settings_hash, :adapter_version,
        :requested_model, :answering_model, :run, c.now,
        c.now + :valid_ms::bigint * interval '1 millisecond'
      FROM (SELECT clock_timestamp() AS now) AS c
      RETURNING
        id, kind, provider, contract_hash, settings_hash, adapter_version, requested_model,
        answering_model, run, passed_at, valid_until, breaches, withdrawn_at, withdrawn_by,
        withdrawn_reason
      """;

  /** Keeps a pass. Durable when it returns; it holds at once, on every node. */
  public Qualification record(Pass pass) {
    return sql.alone(connection -> record(connection, pass));
  }

  private static Qualification record(Connection connection, Pass pass) throws SQLException {
    Params params =
        bound(pass.kind(), pass.provider(), pass.binding())
            .set("contract_hash", pass.binding().contractHash())
            .set("settings_hash", pass.binding().settingsHash())
            .set("adapter_version", pass.binding().adapterVersion())
            .set("requested_model", pass.binding().requestedModel())
            .set("answering_model", Texts.model(pass.answeringModel()))
            .set("run", pass.run())
            .set("valid_ms", pass.validFor().toMillis());
    return Sql.query(connection, RECORD, params, Qualifications::read).getFirst();
  }

  private static final String WITHDRAW =
      """
      UPDATE onejob.qualification AS q SET
        withdrawn_at = clock_timestamp(),
        withdrawn_by = :by,
        withdrawn_reason = :reason
      WHERE q.kind = :kind AND q.provider = :provider AND q.withdrawn_at IS NULL
      RETURNING
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      """;

  /**
   * Withdraws every pass of the provider for the kind, whatever it is bound to. Once this has
   * returned, no start by itself comes to its locks and goes to that provider as a fallback.
   *
   * @param reason for people, 1 to 2000 characters
   * @param by who decided, 1 to 128 characters
   * @return those that it withdrew; empty if there was none
   */
  public List<Qualification> withdraw(String kind, String provider, String reason, String by) {
    Params params =
        new Params()
            .set("kind", kind)
            .set("provider", provider)
            .set("reason", reason)
            .set("by", by);
    return sql.alone(connection -> Sql.query(connection, WITHDRAW, params, Qualifications::read));
  }

  private static final String WITHDRAW_OF_BINDING =
      """
      UPDATE onejob.qualification AS q SET
        withdrawn_at = clock_timestamp(),
        withdrawn_by = :by,
        withdrawn_reason = :reason
      WHERE q.kind = :kind AND q.provider = :provider AND q.binding = :binding
        AND q.withdrawn_at IS NULL
      RETURNING
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      """;

  /**
   * What a run that has ended changed.
   *
   * @param pass that it has proved; null: none
   * @param withdrawn that it has disproved; empty: none
   */
  public record Concluded(@Nullable Qualification pass, List<Qualification> withdrawn) {
    /** Copies the list. */
    public Concluded {
      withdrawn = List.copyOf(withdrawn);
    }
  }

  /**
   * Ends a run, and in the same transaction keeps the pass that it proves or, if it failed,
   * withdraws those of the very same binding. Of several nodes that judge one run the first counts.
   *
   * @param pass what the run proves if it has passed; the binding that it is about in any case
   * @param by who withdraws, if it has failed
   * @return empty if the run was not running any more; nothing was changed
   */
  public Optional<Concluded> conclude(QualificationRuns.Judged judged, Pass pass, String by) {
    return sql.transaction(
        connection ->
            QualificationRuns.finish(connection, judged)
                ? Optional.of(concluded(connection, judged, pass, by))
                : Optional.empty());
  }

  private static Concluded concluded(
      Connection connection, QualificationRuns.Judged judged, Pass pass, String by)
      throws SQLException {
    return switch (judged.state()) {
      case PASSED -> new Concluded(record(connection, pass), List.of());
      case FAILED -> {
        Params params =
            bound(pass.kind(), pass.provider(), pass.binding())
                .set("reason", "the qualification " + judged.id() + " failed")
                .set("by", by);
        yield new Concluded(
            null, Sql.query(connection, WITHDRAW_OF_BINDING, params, Qualifications::read));
      }
      case RUNNING, STOPPED, INCONCLUSIVE, OUTDATED -> new Concluded(null, List.of());
    };
  }

  private static final String ANSWERED_BY_ANOTHER =
      """
      UPDATE onejob.qualification AS q SET
        withdrawn_at = clock_timestamp(),
        withdrawn_by = :by,
        withdrawn_reason =
          'the model ' || :model::text || ' answered, and ' || q.answering_model || ' was qualified'
      WHERE q.kind = :kind AND q.provider = :provider AND q.binding = :binding
        AND q.withdrawn_at IS NULL
        AND q.answering_model <> :model
      RETURNING
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      """;

  /**
   * A model has answered in production: passes that another model had earned under the same name
   * are withdrawn.
   *
   * @param model as the provider names it: of any length and with any characters, it is kept and
   *     compared as the first {@link dev.onejob.domain.Limits#MODEL_CHARS_MAX} of them. An empty
   *     one names none, and withdraws nothing
   * @return those that it withdrew
   */
  public List<Qualification> answeredBy(
      String kind, String provider, Binding binding, String model) {
    Params params =
        bound(kind, provider, binding)
            .set("model", Texts.model(model))
            .set("by", Qualification.BY_MODEL);
    return sql.alone(
        connection -> Sql.query(connection, ANSWERED_BY_ANOTHER, params, Qualifications::read));
  }

  private static final String KEPT =
      """
      UPDATE onejob.qualification AS q SET breaches = 0
      WHERE q.kind = :kind AND q.provider = :provider AND q.binding = :binding
        AND q.withdrawn_at IS NULL
        AND q.breaches > 0
      RETURNING q.id
      """;

  /** The provider kept the contract: a streak of breaches is over. */
  public void kept(String kind, String provider, Binding binding) {
    Params params = bound(kind, provider, binding);
    sql.alone(connection -> Sql.query(connection, KEPT, params, row -> row.getLong("id")));
  }

  private static Params bound(String kind, String provider, Binding binding) {
    return new Params()
        .set("kind", kind)
        .set("provider", provider)
        .set("binding", binding.digest());
  }

  private static final String ALL =
      """
      SELECT
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      FROM onejob.qualification AS q
      WHERE (:kind::text IS NULL OR q.kind = :kind)
        AND (:provider::text IS NULL OR q.provider = :provider)
        AND (:before::bigint IS NULL OR q.id < :before)
      ORDER BY q.id DESC
      LIMIT :limit
      """;

  /**
   * Passes with their whole history, newest first.
   *
   * @param kind null: of every kind
   * @param provider null: of every provider
   * @param before only those of a lower id; null: from the newest on
   */
  public List<Qualification> all(
      @Nullable String kind, @Nullable String provider, @Nullable Long before, int limit) {
    Params params =
        new Params()
            .set("kind", kind)
            .set("provider", provider)
            .set("before", before)
            .set("limit", limit);
    return sql.alone(connection -> Sql.query(connection, ALL, params, Qualifications::read));
  }

  private static final String ONE =
      """
      SELECT
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      FROM onejob.qualification AS q
      WHERE q.id = :id
      """;

  /** One pass. */
  public Optional<Qualification> one(long id) {
    Params params = new Params().set("id", id);
    return sql
        .alone(connection -> Sql.query(connection, ONE, params, Qualifications::read))
        .stream()
        .findFirst();
  }

  private static final String HOLDING =
      """
      SELECT DISTINCT ON (q.kind, q.provider)
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      FROM unnest(:kinds::text[], :providers::text[], :bindings::text[])
          AS w (kind, provider, binding)
      JOIN onejob.qualification AS q
        ON q.kind = w.kind AND q.provider = w.provider AND q.binding = w.binding
      WHERE q.withdrawn_at IS NULL AND q.valid_until > clock_timestamp()
      ORDER BY q.kind, q.provider, q.valid_until DESC
      """;

  /** What is asked about: a provider for a kind, as it is configured here. */
  public record Wanted(String kind, String provider, Binding binding) {}

  /** The passes that hold at this moment; the longest of each. */
  public List<Qualification> holding(List<Wanted> wanted) {
    Params params =
        new Params()
            .column("kinds", "text", wanted, Wanted::kind)
            .column("providers", "text", wanted, Wanted::provider)
            .column("bindings", "text", wanted, each -> each.binding().digest());
    return sql.alone(connection -> Sql.query(connection, HOLDING, params, Qualifications::read));
  }

  static Qualification read(ResultSet row) throws SQLException {
    return new Qualification(
        row.getLong("id"),
        Rows.text(row, "kind"),
        Rows.text(row, "provider"),
        binding(row),
        row.getString("answering_model"),
        Rows.text(row, "run"),
        Rows.instant(row, "passed_at"),
        Rows.instant(row, "valid_until"),
        row.getInt("breaches"),
        withdrawal(row));
  }

  private static Binding binding(ResultSet row) throws SQLException {
    return new Binding(
        Rows.text(row, "contract_hash"),
        Rows.text(row, "settings_hash"),
        Rows.text(row, "adapter_version"),
        Rows.text(row, "requested_model"));
  }

  private static @Nullable Withdrawal withdrawal(ResultSet row) throws SQLException {
    Instant at = Rows.instantOrNull(row, "withdrawn_at");
    return at == null
        ? null
        : new Withdrawal(at, Rows.text(row, "withdrawn_by"), Rows.text(row, "withdrawn_reason"));
  }
}
