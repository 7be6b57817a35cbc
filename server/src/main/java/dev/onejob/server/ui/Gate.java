package dev.onejob.server.ui;

import dev.onejob.server.access.Role;
import dev.onejob.server.access.Session;
import dev.onejob.server.access.Sessions;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Faults;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.AnswerGiver;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Frame;
import dev.onejob.server.ui.page.OwnPath;
import dev.onejob.server.ui.page.Pages;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section.Page;
import dev.onejob.server.ui.page.Shares;
import dev.onejob.server.ui.page.Turns;
import dev.onejob.server.ui.page.Unsure;
import dev.onejob.server.ui.page.Visit;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands before every page: who comes, whether they may, and whether there is room. */
final class Gate {
  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

  /** Most forms of people at once: while they come they hold no other room. */
  private static final int FORMS_MAX = 256;

  /** Of one API key: a person sends one at a time. */
  private static final int FORMS_OF_KEY_MAX = 4;

  /** Most large forms at once: each is in memory several times while it is read. */
  private static final int LARGE_FORMS_MAX = 3;

  private static final int LARGE_FORMS_OF_KEY_MAX = 2;

  /** Where a request keeps the session that it was found to be of. */
  private static final String SESSION = "dev.onejob.session";

  /** Where a request keeps that its form was given to the page that acts on it. */
  private static final String PRESSED = "dev.onejob.pressed";

  private static final String DONE_NOTHING =
      "The database does not answer, or not in time. Nothing was done.";

  private final Sessions sessions;
  private final Entrance entrance;
  private final Pages pages;
  private final AnswerGiver giver = new AnswerGiver();
  private final Turns forms = new Turns(Turns.Bounds.atOnce(FORMS_MAX));
  private final Shares formsOfKeys = new Shares(Turns.Bounds.atOnce(FORMS_OF_KEY_MAX));
  private final Turns largeForms = new Turns(Turns.Bounds.atOnce(LARGE_FORMS_MAX));
  private final Shares largeFormsOfKeys = new Shares(Turns.Bounds.atOnce(LARGE_FORMS_OF_KEY_MAX));

  Gate(Sessions sessions, Entrance entrance, Pages pages) {
    this.sessions = sessions;
    this.entrance = entrance;
    this.pages = pages;
  }

  /** What a request does; how it ends is seen to by the gate. */
  interface Step {
    void take(Context ctx) throws Exception;
  }

  /** How large a form may be. */
  enum Size {
    /** What people fill in. */
    USUAL,
    /** A result comes along, if an operator sends it. */
    RESULT
  }

  /** A page that is read. */
  Handler reading(Place place, Page page) {
    return inSteps(
        place,
        ctx ->
            entrance.admit(
                ctx,
                found -> {
                  Optional<Session> session = enter(ctx, place, found);
                  if (session.isPresent()) {
                    // What a page fetches by itself is no sign of its person.
                    if (!Visit.isPart(ctx)) {
                      sessions.mark(session.get());
                    }
                    page.answer(new Visit(ctx, session.get(), place, Form.NONE, pages));
                  }
                  return session;
                }));
  }

  /** A button. */
  Handler pressing(Place place, Size size, Page page) {
    return inSteps(
        place,
        ctx -> {
          Optional<Session> known = entrance.admit(ctx, found -> enter(ctx, place, found));
          if (known.isEmpty()) {
            return;
          }
          SameSite.refuseOthers(ctx);
          inFormsRoom(
              ctx,
              known.get(),
              size,
              form ->
                  entrance.admit(
                      ctx,
                      found -> {
                        // A form may take long to come: who sent it may have logged out, or lost
                        // the key.
                        Optional<Session> still = enter(ctx, place, found);
                        if (still.isPresent()) {
                          sessions.mark(still.get());
                          ctx.attribute(PRESSED, true);
                          page.answer(new Visit(ctx, still.get(), place, form, pages));
                        }
                        return still;
                      }));
        });
  }

  private interface FormWork {
    Optional<Session> with(Form form) throws Exception;
  }

  /**
   * Reads the form of a person, and does what it asks for. Whoever sends it slowly keeps nothing
   * from others but a little of the room for forms, and from others with the same key their share
   * of it. The room is held to the end: until then the form is in memory.
   */
  private void inFormsRoom(Context ctx, Session session, Size size, FormWork work)
      throws Exception {
    SameSite.requireTokenOfHeader(ctx, session.csrf());
    boolean large =
        size == Size.RESULT
            && session.who().role() == Role.OPERATOR
            && ctx.req().getContentLengthLong() > Form.USUAL_BYTES_MAX;
    Callable<Optional<Session>> all =
        () -> {
          Form form = large ? Form.withResult(ctx.req()) : Form.read(ctx.req());
          SameSite.requireToken(ctx, form, session.csrf());
          return work.with(form);
        };
    Turns room = large ? largeForms : forms;
    (large ? largeFormsOfKeys : formsOfKeys)
        .during(
            session.who().id(),
            () -> room.during(all, Gate::formsOverloaded),
            Gate::formsOverloaded);
  }

  private static ProblemException formsOverloaded() {
    return Problem.of(
            ProblemType.OVERLOADED,
            "Too many forms are on their way already. Nothing was done; send it again.")
        .withHeader("Retry-After", "5")
        .asException();
  }

  /** The session of whoever comes; empty if there is none, and they were told what to do. */
  private Optional<Session> enter(Context ctx, Place place, Optional<Session> session)
      throws IOException {
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
    return inSteps(
        null,
        ctx ->
            entrance.admit(
                ctx,
                session -> {
                  session.ifPresent(found -> ctx.attribute(SESSION, found));
                  step.take(ctx);
                  return session;
                }));
  }

  /**
   * What takes room by itself, for each of its steps: reading what somebody sends is none, and
   * neither is giving them the answer.
   */
  Handler inSteps(@Nullable Place place, Step step) {
    return ctx -> {
      try {
        step.take(ctx);
      } catch (Exception e) {
        problem(ctx, place, told(ctx, place, e));
      }
      try {
        give(ctx, place);
        if (ctx.method() == HandlerType.POST) {
          letRunOut(ctx);
        }
      } catch (IOException e) {
        LOG.debug("{} {}: the answer was not taken", ctx.method(), ctx.path(), e);
      }
    };
  }

  private void give(Context ctx, @Nullable Place place) throws Exception {
    Session session = ctx.attribute(SESSION);
    try {
      giver.give(ctx, session == null ? null : session.who().id());
    } catch (ProblemException e) {
      problem(ctx, place, ctx.method() == HandlerType.POST ? notGiven(e) : e.problem());
      giver.give(ctx, null);
    }
  }

  /** The answer to a press says what was done; where it is not given, nobody knows. */
  private static Problem notGiven(ProblemException why) {
    return Problem.of(
        why.problem().type(),
        "Too many answers are on their way already, so the one to this form is not given. What it"
            + " asked for may have been done: look before you press again.");
  }

  /** Gives bytes that are the same for all; nobody keeps a copy of them waiting. */
  void give(Context ctx, byte[] same) throws IOException {
    giver.write(ctx, same);
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
   * The session of a request that will be held for long, and what is found out for it; room is
   * needed only for that.
   *
   * @throws ProblemException if there is no session, or no room
   */
  <T> T ofHeld(Context ctx, HeldWork<T> work) throws Exception {
    return entrance.admit(
        ctx,
        found ->
            work.with(
                found.orElseThrow(
                    () ->
                        Problem.of(ProblemType.UNAUTHORIZED, "Nobody has logged in.")
                            .asException())));
  }

  /** What is found out for a request that will be held. */
  interface HeldWork<T> {
    /** Finds it out. */
    T with(Session session) throws Exception;
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
    return OwnPath.orOverview(query == null ? ctx.path() : ctx.path() + "?" + query);
  }
}
