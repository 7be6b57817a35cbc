package dev.onejob.providers.httpkeyed;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Post;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Asks about the provider's id of the work. */
final class KeyedQuestion {
  /** Where the id stands in the setting. */
  private static final String PLACE = "{id}";

  private final String before;
  private final String after;
  private final Map<String, String> headers;

  private KeyedQuestion(String before, String after, Map<String, String> headers) {
    this.before = before;
    this.after = after;
    this.headers = headers;
  }

  /** As the settings describe it; empty if they do not. */
  static Optional<KeyedQuestion> of(KeyedSettings settings, KeyedRequest request, boolean hasId) {
    String path = settings.lookUp();
    if (path == null) {
      return Optional.empty();
    }
    int place = path.indexOf(PLACE);
    if (place < 0 || place != path.lastIndexOf(PLACE)) {
      throw new InvalidSetting("/look_up", "expected one " + PLACE + " in it");
    }
    if (!hasId) {
      throw new InvalidSetting("/look_up", "nothing says where the id is; expected a setting id");
    }
    String marker = "onejob-id-stands-here";
    String address =
        KeyedRequest.address(settings, path.replace(PLACE, marker), "/look_up").toString();
    int at = address.indexOf(marker);
    return Optional.of(
        new KeyedQuestion(
            address.substring(0, at),
            address.substring(at + marker.length()),
            request.headersOfQuestion()));
  }

  /**
   * The question.
   *
   * @param id as {@link KeyedReading#id} lets it through: nothing in it has a meaning in an address
   */
  Post about(String id) {
    return Post.get(URI.create(before + id + after), headers);
  }
}
