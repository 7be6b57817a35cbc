package dev.onejob.server.ui;

import dev.onejob.server.access.Session;
import dev.onejob.server.access.Session.Transport;
import dev.onejob.server.access.Sessions;
import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a browser shows which session it is in. Over TLS the cookie has the prefix {@code __Host-}:
 * no other host and no unencrypted page can have set it.
 */
final class SessionCookie {
  private static final String PLAIN = "onejob";
  private static final String SECURE = "__Host-onejob";
  private static final String RULES = "; Path=/; HttpOnly; SameSite=Strict";

  private SessionCookie() {}

  /**
   * How the request came, as far as can be told: by what the proxy says, or by what the browser
   * says of its own page. Either can be said falsely only to one's own harm.
   */
  static Transport transport(Context ctx) {
    String forwarded = ctx.header("X-Forwarded-Proto");
    String first = forwarded == null ? "" : forwarded.split(",", 2)[0].strip();
    String origin = ctx.header("Origin");
    boolean secure =
        first.equalsIgnoreCase("https")
            || (origin != null && origin.toLowerCase(Locale.ROOT).startsWith("https://"));
    return secure ? Transport.SECURE : Transport.PLAIN;
  }

  /** The session that the browser is in; one that was made over TLS holds over TLS alone. */
  static Optional<Session> session(Context ctx, Sessions sessions) {
    Optional<Session> secure = of(ctx, SECURE, Transport.SECURE, sessions);
    return secure.isPresent() || transport(ctx) == Transport.SECURE
        ? secure
        : of(ctx, PLAIN, Transport.PLAIN, sessions);
  }

  /** Whose share the look-up of it is, as far as this node remembers; nothing is looked up. */
  static Optional<UUID> metKey(Context ctx, Sessions sessions) {
    return tokens(ctx).map(sessions::metKeyOf).flatMap(Optional::stream).findFirst();
  }

  /** Whether there is anything to look up. */
  static boolean isThere(Context ctx) {
    return tokens(ctx).anyMatch(Sessions::isToken);
  }

  private static Stream<String> tokens(Context ctx) {
    return Stream.of(SECURE, PLAIN)
        .map(name -> Optional.ofNullable(value(ctx, name)))
        .flatMap(Optional::stream);
  }

  private static Optional<Session> of(
      Context ctx, String name, Transport transport, Sessions sessions) {
    return Optional.ofNullable(value(ctx, name))
        .flatMap(sessions::find)
        .filter(session -> session.transport() == transport);
  }

  /** Of two cookies of one name neither counts: one of them was put there by somebody else. */
  private static @Nullable String value(Context ctx, String name) {
    Cookie[] cookies = ctx.req().getCookies();
    List<String> values = new ArrayList<>();
    for (Cookie each : cookies == null ? new Cookie[0] : cookies) {
      if (each.getName().equals(name)) {
        values.add(each.getValue());
      }
    }
    return values.size() == 1 ? values.getFirst() : null;
  }

  /**
   * Gives the browser its session. It forgets it when it is closed; the server may do so before.
   */
  static void give(Context ctx, String token, Transport transport) {
    String cookie =
        switch (transport) {
          case PLAIN -> PLAIN + "=" + token + RULES;
          case SECURE -> SECURE + "=" + token + RULES + "; Secure";
        };
    ctx.res().addHeader("Set-Cookie", cookie);
  }

  /** Takes both from the browser. */
  static void take(Context ctx) {
    ctx.res().addHeader("Set-Cookie", PLAIN + "=; Max-Age=0" + RULES);
    ctx.res().addHeader("Set-Cookie", SECURE + "=; Max-Age=0" + RULES + "; Secure");
  }
}
