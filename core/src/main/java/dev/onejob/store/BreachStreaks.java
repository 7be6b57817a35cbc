package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Binding;
import dev.onejob.domain.Demand;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Life;
import dev.onejob.domain.Qualification;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the contract breaches of attempts, in the transaction that ends them. */
final class BreachStreaks {
  private BreachStreaks() {}

  private static final String COUNT =
      """
      UPDATE onejob.qualification AS q SET
        breaches = q.breaches + 1,
        withdrawn_at = CASE WHEN q.breaches + 1 >= :breaches_max THEN clock_timestamp() END,
        withdrawn_by = CASE WHEN q.breaches + 1 >= :breaches_max THEN :by END,
        withdrawn_reason =
          CASE WHEN q.breaches + 1 >= :breaches_max
            THEN (q.breaches + 1) || ' contract breaches in a row in production' END
      WHERE q.kind = :kind AND q.provider = :provider AND q.binding = :binding
        AND q.withdrawn_at IS NULL
        AND q.valid_until > clock_timestamp()
      RETURNING
        q.id, q.kind, q.provider, q.contract_hash, q.settings_hash, q.adapter_version,
        q.requested_model, q.answering_model, q.run, q.passed_at, q.valid_until, q.breaches,
        q.withdrawn_at, q.withdrawn_by, q.withdrawn_reason
      """;

  /**
   * Counts the breach that this move tells of, if it is one.
   *
   * @param before the life before the move
   * @return the passes that this breach has withdrawn
   */
  static List<Qualification> count(
      Connection connection,
      MoveRequest request,
      Answer answer,
      Life before,
      String kind,
      @Nullable Demand demand)
      throws SQLException {
    if (demand == null
        || !(answer instanceof Answer.Moved)
        || !(request.event() instanceof JobEvent.Fail fail)
        || !fail.failure().code().equals(Failure.CONTRACT_BREACH)) {
      return List.of();
    }
    String provider = before.attempt(fail.attempt()).orElseThrow().provider();
    Binding binding = demand.bindings().get(provider);
    if (binding == null) {
      return List.of();
    }
    Params params =
        new Params()
            .set("kind", kind)
            .set("provider", provider)
            .set("binding", binding.digest())
            .set("by", Qualification.BY_BREACHES)
            .set("breaches_max", demand.breachesMax());
    return Sql.query(connection, COUNT, params, Qualifications::read).stream()
        .filter(pass -> pass.withdrawal() != null)
        .toList();
  }
}
