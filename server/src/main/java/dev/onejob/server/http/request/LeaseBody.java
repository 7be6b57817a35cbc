package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.server.http.problem.Problem;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says while it works.
 *
 * @param leaseToken under which it speaks
 * @param providerRef an id of the work to be kept
 */
public record LeaseBody(UUID leaseToken, @Nullable String providerRef) {
  static final String TOKEN = "lease_token";

  /** Reads a heartbeat. */
  public static LeaseBody readHeartbeat(byte[] body) {
    return new LeaseBody(token(Members.read(body, Set.of(TOKEN))), null);
  }

  /** Reads an acceptance. */
  public static LeaseBody readAcceptance(byte[] body) {
    Members members = Members.read(body, Set.of(TOKEN, "provider_ref"));
    String ref = members.text("provider_ref");
    if (ref != null && !keepable(ref)) {
      throw Problem.field(
          "/provider_ref",
          "This has 1 to "
              + Limits.PROVIDER_REF_CHARS_MAX
              + " characters, none of them a control character.");
    }
    return new LeaseBody(token(members), ref);
  }

  private static boolean keepable(String ref) {
    return !ref.isEmpty()
        && ref.length() <= Limits.PROVIDER_REF_CHARS_MAX
        && ref.codePoints().noneMatch(Character::isISOControl);
  }

  static UUID token(Members members) {
    String text = Members.required(TOKEN, members.text(TOKEN));
    try {
      UUID token = UUID.fromString(text);
      if (token.toString().equals(text)) {
        return token;
      }
    } catch (IllegalArgumentException e) {
      throw notOurs();
    }
    throw notOurs();
  }

  private static RuntimeException notOurs() {
    return Problem.field("/" + TOKEN, "This is the lease_token of a claim, as it came.");
  }
}
