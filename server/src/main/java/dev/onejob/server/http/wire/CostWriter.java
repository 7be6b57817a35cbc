package dev.onejob.server.http.wire;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Cost;
import dev.onejob.domain.JobCost;
import dev.onejob.domain.Money;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What attempts and jobs have cost. Amounts are strings: no reader of JSON rounds them. */
final class CostWriter {
  private CostWriter() {}

  /** The members of an attempt that tell its cost. */
  static void attempt(JsonOut out, Attempt attempt) {
    Cost cost = attempt.cost();
    Instant ended = attempt.endedAt();
    out.text("cost", cost == null ? null : cost.words());
    out.member("usage", cost == null || !cost.hasTokens() ? null : cost, CostWriter::usage);
    out.member("price", cost == null ? null : cost.price(), CostWriter::money);
    if (ended == null) {
      out.nothing("took_seconds");
    } else {
      out.seconds("took_seconds", Duration.between(attempt.standing().startedAt(), ended));
    }
  }

  private static void usage(JsonOut out, Cost cost) {
    tokens(out, "input_tokens", cost.inputTokens());
    tokens(out, "output_tokens", cost.outputTokens());
  }

  private static void tokens(JsonOut out, String name, @Nullable Long tokens) {
    if (tokens == null) {
      out.nothing(name);
    } else {
      out.number(name, tokens);
    }
  }

  static void money(JsonOut out, Money money) {
    out.text("amount", money.digits());
    out.text("currency", money.currency());
  }

  static void paid(JsonOut out, JobCost.Paid cost) {
    out.list("paid", cost.paid(), CostWriter::money);
    out.number("unpriced_attempts", cost.unpricedAttempts());
  }

  static void job(JsonOut out, JobCost cost) {
    out.list("paid", cost.paid(), CostWriter::money);
    out.list("paid_for_lost", cost.paidForLost(), CostWriter::money);
    out.list("saved_by_repeats", cost.savedByRepeats(), CostWriter::money);
    out.number("repeats", cost.repeats());
    out.number("unpriced_attempts", cost.unpricedAttempts());
  }
}
