package dev.onejob.providers.http;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The head of an answer.
 *
 * @param fields by name in lower case; several of one name are joined by commas
 */
public record Head(int status, Map<String, String> fields) {
  /** A field by its name, in any case. */
  public Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Whether the status says success. */
  public boolean isSuccess() {
    return status >= 200 && status <= 299;
  }
}
