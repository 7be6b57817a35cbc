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

  /** Whether the body says that it is a stream of events. */
  public boolean isOfEvents() {
    String type = field("Content-Type").orElse("");
    int end = type.indexOf(';');
    String bare = end < 0 ? type : type.substring(0, end);
    return bare.strip().equalsIgnoreCase("text/event-stream");
  }

  /** Whether the status says success. */
  public boolean isSuccess() {
    return status >= 200 && status <= 299;
  }
}
