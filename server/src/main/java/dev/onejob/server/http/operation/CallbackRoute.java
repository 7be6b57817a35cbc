package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.CallbackDoor;
import java.net.URI;
import java.util.regex.Pattern;

/**
 * The address at which a provider calls back about an attempt. It holds the attempt's secret and is
 * all the credential there is, so it is not logged.
 *
 * @param publicUrl of the API, as providers reach it; without a slash at its end
 */
public record CallbackRoute(URI publicUrl) implements CallbackDoor {
  /** As the router takes it. */
  static final String PATH = "/v1/callbacks/attempts/{id}/{secret}";

  static final String SECRET = "secret";

  /** Of a provider as a whole; nothing in it is secret. */
  static final String PROVIDER_PATH = "/v1/callbacks/{provider}";

  static final String PROVIDER = "provider";

  private static final Pattern HOLDS_A_SECRET =
      Pattern.compile("^(/v1/callbacks/attempts/[^/]*/).*$");

  @Override
  public URI address(AttemptId attempt, String secret) {
    String path = PATH.replace("{id}", attempt.toString()).replace("{secret}", secret);
    return URI.create(publicUrl + path);
  }

  /** A path of a request as it may be logged. */
  static String withoutSecret(String path) {
    return HOLDS_A_SECRET.matcher(path).replaceFirst("$1…");
  }
}
