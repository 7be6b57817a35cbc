package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.engine.Access;
import dev.onejob.engine.Claim;
import dev.onejob.server.http.problem.Problem;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a claim.
 *
 * @param atMost how long the worker would wait for work; null: the body does not say
 */
public record ClaimBody(Claim claim, @Nullable Duration atMost) {
  private static final Set<String> MEMBERS =
      Set.of("kinds", "count", "request_id", "worker", "wait");
  private static final Pattern NAME =
      Pattern.compile("[!-~]{1," + Limits.CLAIM_NAME_CHARS_MAX + "}");

  /** Reads a claim, made with that API key and for jobs within that reach. */
  public static ClaimBody read(byte[] body, UUID credential, Access access) {
    Members members = Members.read(body, MEMBERS);
    Claim claim =
        new Claim(
            access,
            credential,
            name(members, "worker"),
            name(members, "request_id"),
            kinds(members),
            wholeNumber(members, "count", 1, 1, Limits.CLAIM_ATTEMPTS_MAX));
    return new ClaimBody(claim, wait(members));
  }

  private static String name(Members members, String member) {
    String name = Members.required(member, members.text(member));
    if (!NAME.matcher(name).matches()) {
      throw Problem.field(
          "/" + member,
          "This has 1 to " + Limits.CLAIM_NAME_CHARS_MAX + " visible ASCII characters.");
    }
    return name;
  }

  private static List<String> kinds(Members members) {
    List<String> kinds = Members.required("kinds", members.texts("kinds"));
    if (kinds.isEmpty() || kinds.size() > Limits.CLAIM_KINDS_MAX) {
      throw Problem.field("/kinds", "A claim names 1 to " + Limits.CLAIM_KINDS_MAX + " kinds.");
    }
    if (Set.copyOf(kinds).size() < kinds.size()) {
      throw Problem.field("/kinds", "A claim names a kind once.");
    }
    return kinds;
  }

  private static @Nullable Duration wait(Members members) {
    if (members.number("wait") == null) {
      return null;
    }
    int most = (int) Limits.CLAIM_WAIT_MAX.toSeconds();
    return Duration.ofSeconds(wholeNumber(members, "wait", 0, 0, most));
  }

  private static int wholeNumber(Members members, String name, int otherwise, int least, int most) {
    BigDecimal number = members.number(name);
    if (number == null) {
      return otherwise;
    }
    boolean fits =
        number.compareTo(BigDecimal.valueOf(least)) >= 0
            && number.compareTo(BigDecimal.valueOf(most)) <= 0
            && number.stripTrailingZeros().scale() <= 0;
    if (!fits) {
      throw Problem.field("/" + name, "This is a whole number from " + least + " to " + most + ".");
    }
    return number.intValue();
  }
}
