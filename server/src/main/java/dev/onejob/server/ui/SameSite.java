package dev.onejob.server.ui;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Form;
import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether a form was sent from a page of ours. */
final class SameSite {
  private SameSite() {}

  /** Whether a link of another site led here; browsers keep our cookie back then. */
  static boolean ledHereByAnother(Context ctx) {
    return "cross-site".equals(ctx.header("Sec-Fetch-Site"));
  }

  /**
   * Lets pass what the browser itself says comes from here. {@code Sec-Fetch-Site} cannot be made
   * by a page; browsers send it over TLS and on the loopback. Else {@code Origin} must name the
   * host that was asked.
   *
   * @throws ProblemException if it comes from elsewhere, or says neither
   */
  static void requireSameOrigin(Context ctx) {
    if (!saysWhere(ctx)) {
      throw refused(
          "Nothing says where the form comes from: neither Sec-Fetch-Site nor Origin is there.");
    }
    refuseOthers(ctx);
  }

  /**
   * The same for what a session and its token prove as well: where nothing says where it comes from
   * the token has to do.
   *
   * @throws ProblemException if it comes from elsewhere
   */
  static void refuseOthers(Context ctx) {
    String site = ctx.header("Sec-Fetch-Site");
    String origin = ctx.header("Origin");
    boolean ours = site != null ? site.equals("same-origin") : origin == null || names(origin, ctx);
    if (!ours) {
      throw refused("The form was not sent from a page of this service.");
    }
  }

  private static boolean saysWhere(Context ctx) {
    return ctx.header("Sec-Fetch-Site") != null || ctx.header("Origin") != null;
  }

  private static boolean names(String origin, Context ctx) {
    String authority = authority(origin);
    return authority != null
        && (authority.equals(lower(ctx.header("Host")))
            || authority.equals(lower(ctx.header("X-Forwarded-Host"))));
  }

  private static @Nullable String authority(String origin) {
    try {
      return lower(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return null; // no origin that a browser would send
    }
  }

  private static @Nullable String lower(@Nullable String text) {
    return text == null ? null : text.toLowerCase(Locale.ROOT);
  }

  /**
   * Lets pass who sends the token of the session along, as a field or a header.
   *
   * @throws ProblemException if it is missing or another
   */
  static void requireToken(Context ctx, Form form, String csrf) {
    String header = ctx.header(Form.CSRF_HEADER);
    String given = header != null ? header : form.text(Form.CSRF_FIELD);
    if (given == null || !MessageDigest.isEqual(bytes(given), bytes(csrf))) {
      throw refused("The form is of another session. Load the page again, then send it.");
    }
  }

  /**
   * Refuses who sends another one in a header, before anything else of them is read.
   *
   * @throws ProblemException if it is another
   */
  static void requireTokenOfHeader(Context ctx, String csrf) {
    if (ctx.header(Form.CSRF_HEADER) != null) {
      requireToken(ctx, Form.NONE, csrf);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ProblemException refused(String why) {
    return Problem.of(ProblemType.FORBIDDEN, why + " Nothing was done.").asException();
  }
}
