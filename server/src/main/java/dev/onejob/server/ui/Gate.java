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
import dev.onejob.server.ui.page.OwnPath;
import dev.onejob.server.ui.page.Pages;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section.Page;
import dev.onejob.server.ui.page.Unsure;
import dev.onejob.server.ui.page.Visit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands before every page: who comes, whether they may, and whether there is room. */
final class Gate {
  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

  /** Most requests for pages at once, live ones apart; each may wait for a connection. */
  private static final int REQUESTS_MAX = 64;

  /** Most forms of people on their way in at once: while they come they hold no other room. */
  private static final int FORMS_MAX = 64;

  /** Where a request keeps the session that it was found to be of. */
  private static final String SESSION = "dev.onejob.session";

  /** Where a request keeps that its form was given to the page that acts on it. */
  private static final String PRESSED = "dev.onejob.pressed";

  private static final String DONE_NOTHING =
      "The database does not answer, or not in time. Nothing was done.";

  private final Sessions sessions;
  private final Pages pages;
  private final Semaphore room = new Semaphore(REQUESTS_MAX);
  private final Semaphore formsRoom = new Semaphore(FORMS_MAX);

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
    return inSteps(
        place,
        ctx -> {
          Optional<Session> known = inRoom(() -> enter(ctx, place));
          if (known.isEmpty()) {
            return;
          }
          SameSite.refuseOthers(ctx);
          Form form = formOf(ctx, known.get());
          inRoom(
              () -> {
                // A form may take long to come: who sent it may have logged out, or lost the key.
                Optional<Session> still = enter(ctx, place);
                if (still.isPresent()) {
                  sessions.mark(still.get());
                  ctx.attribute(PRESSED, true);
                  page.answer(new Visit(ctx, still.get(), place, form, pages));
                }
                return still;
              });
        });
  }

  /**
   * The form of a person. Whoever sends it slowly keeps nothing from others but the room for forms.
   */
  Form formOf(Context ctx, Session session) throws IOException {
    if (!formsRoom.tryAcquire()) {
      throw overloaded().asException();
    }
    try {
      Form form = Form.read(ctx.req());
      SameSite.requireToken(ctx, form, session.csrf());
      return form;
    } finally {
      formsRoom.release();
    }
  }

  private Handler guarded(Place place, PersonsStep step) {
    return open(
        place,
        ctx -> {
          Optional<Session> session = enter(ctx, place);
          if (session.isPresent()) {
            step.take(ctx, session.get());
          }
        });
  }

  /** The session of whoever comes; empty if there is none, and they were told what to do. */
  private Optional<Session> enter(Context ctx, Place place) throws IOException {
    Optional<Session> session = session(ctx);
    if (session.isEmpty()) {
      askWhoComes(ctx);
      return session;
    }
    ctx.attribute(SESSION, session.get());
    Acts.require(session.get().who(), place.roles());
    return session;
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
    return inSteps(
        place,
        ctx ->
            inRoom(
                () -> {
                  step.take(ctx);
                  return true;
                }));
  }

  /** What takes room by itself, for each of its steps: reading what somebody sends is none. */
  Handler inSteps(@Nullable Place place, Step step) {
    return ctx -> {
      try {
        step.take(ctx);
      } catch (Exception e) {
        problem(ctx, place, told(ctx, place, e));
      }
      if (ctx.method() == HandlerType.POST) {
        letRunOut(ctx);
      }
    };
  }

  /** Of a form that had reached its page nobody knows what came of it; any other did nothing. */
  private static Problem told(Context ctx, @Nullable Place place, Exception e) {
    if (ctx.attribute(PRESSED) != null) {
      return Unsure.of(ctx, e);
    }
    Problem problem = Faults.of(ctx, e);
    boolean didNothing = place != null || ctx.method() != HandlerType.POST;
    return didNothing && problem.type() == ProblemType.DATABASE_UNAVAILABLE
        ? new Problem(problem.type(), DONE_NOTHING, problem.extensions(), problem.headers())
        : problem;
  }

  /**
   * Takes in what was not read of a form, and forgets it: a line that is closed while its other end
   * still sends can lose the answer. Nobody waits for it meanwhile.
   */
  private static void letRunOut(Context ctx) {
    try {
      ctx.res().flushBuffer();
      Form.discard(ctx.req());
    } catch (IOException | ProblemException e) {
      LOG.debug("the rest of a form did not come", e);
    }
  }

  /**
   * Does what may wait for the database.
   *
   * @throws ProblemException if there is no room
   */
  <T> T inRoom(Callable<T> work) throws Exception {
    if (!room.tryAcquire()) {
      throw overloaded().asException();
    }
    try {
      return work.call();
    } finally {
      room.release();
    }
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
  Session sessionOfHeld(Context ctx) throws Exception {
    return inRoom(() -> session(ctx))
        .orElseThrow(
            () -> Problem.of(ProblemType.UNAUTHORIZED, "Nobody has logged in.").asException());
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
      ctx.res().setHeader("HX-Redirect", Login.pathBefore(OwnPath.cameFrom(ctx)));
      ctx.res().setStatus(ProblemType.UNAUTHORIZED.status());
    } else if (SameSite.ledHereByAnother(ctx)) {
      pages.send(ctx, 200, "again", pages.frame("One moment", null, null), here(ctx));
    } else {
      Pages.protect(ctx.res());
      boolean sent = ctx.method() == HandlerType.POST;
      String login =
          sent ? Login.pathAfterForm(OwnPath.cameFrom(ctx)) : Login.pathBefore(here(ctx));
      ctx.res().setHeader("Location", login);
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
