package dev.onejob.server.database;

import dev.onejob.server.config.DatabaseSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a database is, as the driver wants to hear it.
 *
 * @param jdbcUrl without user and password, where they were written in a {@code postgres://} one
 */
record DatabaseAddress(String jdbcUrl, @Nullable String user, @Nullable String password) {
  /** Takes what the configuration says; a user or password of its own wins. */
  static DatabaseAddress of(DatabaseSettings settings, String url) {
    DatabaseAddress address =
        url.startsWith("jdbc:") ? new DatabaseAddress(url, null, null) : ofUri(url);
    return new DatabaseAddress(
        address.jdbcUrl(),
        Optional.ofNullable(settings.user()).orElse(address.user()),
        Optional.ofNullable(settings.password()).orElse(address.password()));
  }

  private static DatabaseAddress ofUri(String url) {
    URI uri = parsed(url);
    String userInfo = Optional.ofNullable(uri.getRawUserInfo()).orElse("");
    int colon = userInfo.indexOf(':');
    String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String path = Optional.ofNullable(uri.getRawPath()).orElse("");
    return new DatabaseAddress(
        "jdbc:postgresql://" + uri.getHost() + port + (path.isEmpty() ? "/" : path) + query,
        user.isEmpty() ? null : decoded(user),
        colon < 0 ? null : decoded(userInfo.substring(colon + 1)));
  }

  /** The address is not quoted: it may hold a password. */
  private static URI parsed(String url) {
    try {
      URI uri = new URI(url);
      String scheme = Optional.ofNullable(uri.getScheme()).orElse("");
      if (uri.getHost() != null && (scheme.equals("postgres") || scheme.equals("postgresql"))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw new DatabaseException("the database address is not one: " + e.getReason());
    }
    throw new DatabaseException(
        "the database address is not one; expected something like"
            + " postgres://user@host:5432/name or jdbc:postgresql://host/name");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Without parameters, some of which are passwords: fit for messages and logs. */
  @Override
  public String toString() {
    int query = jdbcUrl.indexOf('?');
    return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
  }
}
