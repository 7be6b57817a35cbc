package dev.onejob.providers.model;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The key to an endpoint. Never part of a message or a log. */
public final class ApiKey {
  private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,4096}");

  private final String secret;

  private ApiKey(String secret) {
    this.secret = secret;
  }

  /**
   * Fetches the key that the settings name; empty if they name none.
   *
   * @throws InvalidSetting if it is not there, or cannot be sent in a header
   */
  public static Optional<ApiKey> of(
      @Nullable String variable, @Nullable String file, ProviderContext context) {
    if (variable != null) {
      return Optional.of(fromEnvironment(variable, context));
    }
    if (file != null) {
      return Optional.of(fromFile(context.baseFolder().resolve(file)));
    }
    return Optional.empty();
  }

  private static ApiKey fromEnvironment(String variable, ProviderContext context) {
    String secret = context.environment().apply(variable);
    if (secret == null) {
      String problem = "the environment variable " + variable + " is not set";
      throw new InvalidSetting("/api_key_env", problem);
    }
    return checked(secret, "/api_key_env");
  }

  private static ApiKey fromFile(Path file) {
    try {
      return checked(Files.readString(file), "/api_key_file");
    } catch (IOException e) {
      String problem = "cannot read " + file + " (" + e.getClass().getSimpleName() + ")";
      throw new InvalidSetting("/api_key_file", problem);
    }
  }

  private static ApiKey checked(String text, String pointer) {
    String secret = text.strip();
    if (!FORM.matcher(secret).matches()) {
      throw new InvalidSetting(pointer, "the key is not of visible ASCII characters");
    }
    return new ApiKey(secret);
  }

  /** For {@code Authorization}. */
  public String bearer() {
    return "Bearer " + secret;
  }

  /** As it is, for a header of its own. */
  public String plain() {
    return secret;
  }

  @Override
  public String toString() {
    return "ApiKey[…]";
  }
}
