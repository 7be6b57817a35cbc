package dev.onejob.server.ui.page;

import dev.onejob.server.access.Session;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns templates into answers. Safe for many threads. */
public final class Pages {
  private static final String TEMPLATES = "dev.onejob.server.ui.templates";
  private static final String HTML = "text/html; charset=utf-8";

  /** Everything comes from here; no page is shown in a frame of another, or sends a form away. */
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
          + " object-src 'none'";

  private final TemplateEngine templates =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Pages.class.getClassLoader(), TEMPLATES);
  private final Assets assets;
  private final List<Place> places;
  private final InstantSource clock;

  /**
   * Pages with these places in their navigation.
   *
   * @param clock for ages that are shown
   */
  public Pages(Assets assets, List<Place> places, InstantSource clock) {
    this.assets = assets;
    this.places = List.copyOf(places);
    this.clock = clock;
  }

  /** What stands around a page of this person. */
  public Frame frame(String title, @Nullable Place place, @Nullable Session session) {
    List<Place> open =
        session == null
            ? List.of()
            : places.stream().filter(each -> each.roles().contains(session.who().role())).toList();
    return new Frame(title, place, open, session, assets, clock.instant());
  }

  /**
   * Makes an answer of a template, whole or as a part of a page; the gate gives it.
   *
   * @param template its path without {@code .jte}; it takes {@code frame} and {@code it}
   */
  public void send(Context ctx, int status, String template, Frame frame, Object it)
      throws IOException {
    Utf8ByteOutput out = new Utf8ByteOutput();
    templates.render(template + ".jte", Map.of("frame", frame, "it", it), out);
    HttpServletResponse response = ctx.res();
    protect(response);
    response.setStatus(status);
    response.setContentType(HTML);
    AnswerGiver.keep(ctx, out.toByteArray());
  }

  /** A page, or a part of one, that says what is wrong, by the words of the API. */
  public void problem(Context ctx, Problem problem, Frame frame) throws IOException {
    if (ctx.res().isCommitted()) {
      return;
    }
    ctx.res().resetBuffer();
    ctx.res().setHeader("Content-Disposition", null); // it is no file, and leads to none
    ctx.res().setHeader("Link", null);
    problem.headers().forEach(ctx.res()::setHeader);
    int status = problem.type().status();
    if (Visit.isPart(ctx)) {
      send(ctx, status, "tag/problem", frame, problem);
    } else {
      // What is not there looks the same however it was asked for.
      boolean pressed = ctx.method() == HandlerType.POST && problem.type() != ProblemType.NOT_FOUND;
      String back = pressed ? OwnPath.cameFrom(ctx) : "";
      send(ctx, status, "problem", frame, new ProblemPage(problem, back));
    }
  }

  /** Pages are about live things and for one person: nobody keeps, frames or reinterprets them. */
  public static void protect(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Vary", "HX-Request, Cookie");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    // Not no-referrer: browsers would send forms with an origin of null then.
    response.setHeader("Referrer-Policy", "same-origin");
  }
}
