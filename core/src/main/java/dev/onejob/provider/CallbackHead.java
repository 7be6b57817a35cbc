package dev.onejob.provider;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was sent to a callback address, but for its body.
 *
 * @param headers by name in lower case; several of one name are joined by a comma and a space, so
 *     that none of them can be taken for the only one
 */
public record CallbackHead(Map<String, String> headers) {
  /** A header by its name, in any case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
