package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.engine.Reopen;
import dev.onejob.server.http.problem.Problem;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Set;

/** The body of a reopen. */
public final class ReopenBody {
  private static final Set<String> MEMBERS = Set.of("reason", "attempts", "deadline");

  private ReopenBody() {}

  /**
   * Reads it.
   *
   * @param clock from which a deadline in seconds counts
   */
  public static Reopen read(byte[] body, String decidedBy, InstantSource clock) {
    Members members = Members.read(body, MEMBERS);
    return new Reopen(
        attempts(members),
        SubmissionBody.deadline(members, clock),
        DecisionBody.reason(members),
        decidedBy);
  }

  private static int attempts(Members members) {
    BigDecimal number = members.number("attempts");
    if (number == null) {
      return 1;
    }
    boolean fits =
        number.signum() > 0
            && number.compareTo(BigDecimal.valueOf(Limits.ATTEMPTS_ALLOWED_MAX)) <= 0
            && number.stripTrailingZeros().scale() <= 0;
    if (!fits) {
      throw Problem.field(
          "/attempts",
          "How many more attempts is a whole number from 1 to "
              + Limits.ATTEMPTS_ALLOWED_MAX
              + ".");
    }
    return number.intValue();
  }
}
