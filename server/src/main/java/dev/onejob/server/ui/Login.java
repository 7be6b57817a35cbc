package dev.onejob.server.ui;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.Session;
import dev.onejob.server.access.Session.Transport;
import dev.onejob.server.access.Sessions;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.live.Feed;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Pages;
import dev.onejob.server.ui.page.Place;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Coming and going. */
final class Login {
  static final String PATH = Place.ROOT + "/login";
  static final String OUT = Place.ROOT + "/logout";

  /** Most log-ins at once on this node: guesses cannot take what others need. */
  private static final int AT_ONCE_MAX = 8;

  /** An address of the dashboard and nothing that a browser could take for another host. */
  private static final Pattern OWN = Pattern.compile("/ui(?:[/?][\\x21-\\x7e&&[^\\\\]]*)?");

  /** What strangers are told in return: nobody can make pages of ours large. */
  private static final int NEXT_CHARS_MAX = 2_000;

  private final ApiKeys keys;
  private final Sessions sessions;
  private final Pages pages;
  private final Feed feed;
  private final Entrance entrance;
  private final Semaphore room = new Semaphore(AT_ONCE_MAX);

  Login(ApiKeys keys, Sessions sessions, Pages pages, Feed feed, Entrance entrance) {
    this.keys = keys;
    this.sessions = sessions;
    this.pages = pages;
    this.feed = feed;
    this.entrance = entrance;
  }

  /** The page. */
  void show(Context ctx) throws Exception {
    String next = next(ctx.queryParam("next"));
    entrance.admit(
        ctx,
        session -> {
          if (session.isPresent()) {
            leadOn(ctx, next);
          } else {
            page(ctx, 200, new LoginView(next, false));
          }
          return session;
        });
  }

  /**
   * Opens a session, or says that the key opens none; why it does not is not told. A form that
   * comes slowly takes nobody's room: it is read before.
   */
  void logIn(Context ctx) throws Exception {
    SameSite.requireSameOrigin(ctx);
    Form form = Form.ofStranger(ctx.req());
    entrance.inRoom(
        () -> {
          logIn(ctx, form);
          return true;
        });
  }

  private void logIn(Context ctx, Form form) throws IOException {
    if (!room.tryAcquire()) {
      throw Problem.of(ProblemType.OVERLOADED, "Too many log in at once; try again.")
          .withHeader("Retry-After", "1")
          .asException();
    }
    try {
      String next = next(form.text("next"));
      Optional<Credential> who = who(form.text("key"));
      if (who.isEmpty()) {
        page(ctx, ProblemType.UNAUTHORIZED.status(), new LoginView(next, true));
        return;
      }
      SessionCookie.session(ctx, sessions).ifPresent(this::end);
      Transport transport = SessionCookie.transport(ctx);
      SessionCookie.give(ctx, sessions.create(who.get(), transport), transport);
      leadOn(ctx, next);
    } finally {
      room.release();
    }
  }

  /**
   * Ends the session on every node. Of whoever has none, nothing is read; of others little, and in
   * nobody's room: a key whose forms are all on their way can still be logged out.
   */
  void logOut(Context ctx) throws Exception {
    SameSite.refuseOthers(ctx);
    Optional<Session> found = entrance.admit(ctx, session -> session);
    if (found.isEmpty()) {
      SameSite.requireSameOrigin(ctx); // else another site could take a cookie that was kept back
    } else {
      Session session = found.get();
      if (ctx.header(Form.CSRF_HEADER) == null) {
        SameSite.requireToken(ctx, Form.ofLogOut(ctx.req()), session.csrf());
      } else {
        SameSite.requireTokenOfHeader(ctx, session.csrf());
      }
      entrance.inRoom(
          () -> {
            end(session);
            return session;
          });
    }
    SessionCookie.take(ctx);
    // Browsers may keep whole pages for the way back: none is shown once nobody is logged in.
    ctx.res().setHeader("Clear-Site-Data", "\"cache\"");
    leadOn(ctx, PATH);
  }

  private void end(Session session) {
    sessions.end(session);
    feed.endOf(session.id());
  }

  /** Workers have keys too, but nothing to see here. */
  private Optional<Credential> who(@Nullable String key) {
    return Optional.ofNullable(key)
        .flatMap(keys::find)
        .filter(found -> found.role() != Role.WORKER);
  }

  private void page(Context ctx, int status, LoginView view) throws IOException {
    pages.send(ctx, status, "login", pages.frame("Log in", null, null), view);
  }

  private static void leadOn(Context ctx, String path) {
    Pages.protect(ctx.res());
    ctx.res().setHeader("Location", path);
    ctx.res().setStatus(303);
  }

  static String next(@Nullable String asked) {
    return asked != null && asked.length() <= NEXT_CHARS_MAX && OWN.matcher(asked).matches()
        ? asked
        : Place.OVERVIEW.path();
  }
}
