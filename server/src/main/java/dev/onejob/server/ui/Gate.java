package dev.onejob.server.ui;

import dev.onejob.server.access.Session;
import dev.onejob.server.access.Sessions;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Faults;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Frame;
import dev.onejob.server.ui.page.Pages;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section.Page;
import dev.onejob.server.ui.page.Visit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Stands before every page: who comes, whether they may, and whether there is room. */
final class Gate {
  /** Most requests for pages at once, live ones apart; each may wait for a connection. */
  private static final int REQUESTS_MAX = 64;

  /** Where a request keeps the session that it was found to be of. */
  private static final String SESSION = "dev.onejob.session";

  private final Sessions sessions;
  private final Pages pages;
  private final Semaphore room = new Semaphore(REQUESTS_MAX);

  Gate(Sessions sessions, Pages pages) {
    this.sessions = sessions;
    this.pages = pages;
  }

  /** What a request does; how it ends is seen to by the gate. */
  interface Step {
    void take(Context ctx) throws Exception;
  }

  /** What a request of a person does. */
  interface PersonsStep {
    void take(Context ctx, Session session) throws Exception;
  }

  /** A page that is read. */
  Handler reading(Place place, Page page) {
    return guarded(
        place,
        (ctx, session) -> {
          // What a page fetches by itself is no sign of its person.
          if (!Visit.isPart(ctx)) {
            sessions.mark(session);
          }
          page.answer(new Visit(ctx, session, place, Form.NONE, pages));
        });
  }

  /** A button. */
  Handler pressing(Place place, Page page) {
    return guarded(
        place,
        (ctx, session) -> {
          Form form = Form.read(ctx.req());
          SameSite.requireSameOrigin(ctx);
          SameSite.requireToken(ctx, form, session.csrf());
          sessions.mark(session);
          page.answer(new Visit(ctx, session, place, form, pages));
        });
  }

  private Handler guarded(Place place, PersonsStep step) {
    return open(place, ctx -> enter(ctx, place, step));
  }

  private void enter(Context ctx, Place place, PersonsStep step) throws Exception {
    Optional<Session> session = SessionCookie.session(ctx, sessions);
    if (session.isEmpty()) {
      askWhoComes(ctx);
      return;
    }
    ctx.attribute(SESSION, session.get());
    Acts.require(session.get().who(), place.roles());
    step.take(ctx, session.get());
  }

  /** What is shown to anybody; whoever has logged in keeps the navigation. */
  Handler shown(Step step) {
    return open(
        null,
        ctx -> {
          session(ctx).ifPresent(session -> ctx.attribute(SESSION, session));
          step.take(ctx);
        });
  }

  /** What needs no session; also what finds its session by itself. */
  Handler open(@Nullable Place place, Step step) {
    return ctx -> {
      if (!room.tryAcquire()) {
        problem(ctx, place, overloaded());
        return;
      }
      try {
        step.take(ctx);
      } catch (Exception e) {
        problem(ctx, place, Faults.of(ctx, e));
      } finally {
        room.release();
      }
    };
  }

  /** The session of a request; empty if there is none. */
  Optional<Session> session(Context ctx) {
    return SessionCookie.session(ctx, sessions);
  }

  /**
   * The session of a request that will be held for long; room is needed only to find it.
   *
   * @throws ProblemException if there is no session, or no room
   */
  Session sessionOfHeld(Context ctx) {
    if (!room.tryAcquire()) {
      throw overloaded().asException();
    }
    try {
      return session(ctx)
          .orElseThrow(
              () -> Problem.of(ProblemType.UNAUTHORIZED, "Nobody has logged in.").asException());
    } finally {
      room.release();
    }
  }

  private void problem(Context ctx, @Nullable Place place, Problem problem) throws IOException {
    pages.problem(ctx, problem, frame(ctx, problem.type().title(), place));
  }

  /** The frame of whoever looks, as far as is known; a database that is away is not asked again. */
  private Frame frame(Context ctx, String title, @Nullable Place place) {
    return pages.frame(title, place, ctx.attribute(SESSION));
  }

  /**
   * Sends the browser to the log-in. One that was led here by another site keeps the cookie back;
   * it is asked to come again by itself first.
   */
  private void askWhoComes(Context ctx) throws IOException {
    if (Visit.isPart(ctx)) {
      Pages.protect(ctx.res());
      ctx.res().setHeader("HX-Redirect", Login.PATH);
      ctx.res().setStatus(ProblemType.UNAUTHORIZED.status());
    } else if (SameSite.ledHereByAnother(ctx)) {
      pages.send(ctx, 200, "again", pages.frame("One moment", null, null), here(ctx));
    } else {
      Pages.protect(ctx.res());
      String next = URLEncoder.encode(here(ctx), StandardCharsets.UTF_8);
      boolean read = ctx.method() == HandlerType.GET;
      ctx.res().setHeader("Location", read ? Login.PATH + "?next=" + next : Login.PATH);
      ctx.res().setStatus(303);
    }
  }

  private static String here(Context ctx) {
    String query = ctx.queryString();
    return query == null ? ctx.path() : ctx.path() + "?" + query;
  }

  private static Problem overloaded() {
    return Problem.of(
            ProblemType.OVERLOADED,
            "This node shows " + REQUESTS_MAX + " pages already; try again.")
        .withHeader("Retry-After", "1");
  }
}
