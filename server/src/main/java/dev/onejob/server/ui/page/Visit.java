package dev.onejob.server.ui.page;

import dev.onejob.engine.Access;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Session;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Faults;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request of a person who has logged in. */
public final class Visit {
  private static final String PART_HEADER = "HX-Request";
  private static final String WHO_HEADER = "X-Onejob-Who";

  private final Context ctx;
  private final Session session;
  private final Place place;
  private final Form form;
  private final Pages pages;

  /** Of a person who may go to the place. */
  public Visit(Context ctx, Session session, Place place, Form form, Pages pages) {
    this.ctx = ctx;
    this.session = session;
    this.place = place;
    this.form = form;
    this.pages = pages;
  }

  /** Whether the browser wants a part of a page only, to put it into the page that is shown. */
  public static boolean isPart(Context ctx) {
    return "true".equals(ctx.header(PART_HEADER));
  }

  /** Whether the browser wants a part of a page only. */
  public boolean wantsPart() {
    return isPart(ctx);
  }

  /** The API key that the person has logged in with. */
  public Credential who() {
    return session.who();
  }

  /** Whose jobs the person may see and move. */
  public Access reach() {
    return Acts.reach(session.who());
  }

  /** What the person has filled in; without fields where nothing is sent. */
  public Form form() {
    return form;
  }

  /** The part of the address that stands in braces. */
  public String path(String parameter) {
    return ctx.pathParam(parameter);
  }

  /** The last part of the address. */
  public String lastOfPath() {
    String path = ctx.path();
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** A query parameter; null if it is not there once, or blank. */
  public @Nullable String query(String name) {
    var values = ctx.queryParams(name);
    String text = values.size() == 1 ? values.getFirst() : null;
    return text == null || text.isBlank() ? null : text.strip();
  }

  /** The whole query as it was sent, without the question mark; empty if there is none. */
  public String queryString() {
    String query = ctx.queryString();
    return query == null ? "" : query;
  }

  /**
   * Shows a whole page.
   *
   * @param template with the layout; takes {@code frame} and {@code it}
   */
  public void page(String template, String title, Object it) throws IOException {
    send(HttpStatus.OK.getCode(), template, title, it);
  }

  /**
   * Shows a part, which takes the place of what the page shows.
   *
   * @param template without the layout; takes {@code frame} and {@code it}
   */
  public void part(String template, Object it) throws IOException {
    send(HttpStatus.OK.getCode(), template, place.label(), it);
  }

  /** Shows the part if the browser wants one, else the page. */
  public void pageOrPart(String page, String part, String title, Object it) throws IOException {
    if (wantsPart()) {
      part(part, it);
    } else {
      page(page, title, it);
    }
  }

  /**
   * Gives text away as a file, to the byte: browsers neither show it as a page nor guess what it
   * is.
   *
   * @param name of letters, digits, dots, dashes and underscores
   */
  public void text(String name, byte[] bytes) {
    file(name, "text/plain; charset=utf-8", bytes, Map.of());
  }

  /**
   * Gives a file away. It is there whole before its first byte is sent, so whoever gets it with
   * status 200 and to its length has all of it.
   *
   * @param name of letters, digits, dots, dashes and underscores
   * @param headers besides those that every file has
   */
  public void file(String name, String mediaType, byte[] bytes, Map<String, String> headers) {
    Pages.protect(ctx.res());
    ctx.res().setContentType(mediaType);
    ctx.res().setHeader("Content-Disposition", "attachment; filename=\"" + name + "\"");
    headers.forEach(ctx.res()::setHeader);
    AnswerGiver.keep(ctx, bytes);
  }

  /** Shows a page or part whose request was refused, with the status of the problem. */
  public void refused(String template, String title, Problem problem, Object it)
      throws IOException {
    send(problem.type().status(), template, title, it);
  }

  /** What ended a press early, so that its page can be shown again. */
  public Problem fault(RuntimeException e) {
    return Unsure.of(ctx, e);
  }

  /**
   * Shows why a press was not done, and what was filled in, where its page cannot be read.
   *
   * @param here where its page is
   * @param e why it cannot be read; it is thrown again if it says that there is no such page
   */
  public void unread(String title, String here, Problem problem, Exception e) throws IOException {
    if (e instanceof ProblemException known) {
      throw known;
    }
    Faults.of(ctx, e); // into the log
    refused("unread", title, problem, new Unread(problem, here, form.typed()));
  }

  private void send(int status, String template, String title, Object it) throws IOException {
    if (wantsPart()) {
      // Whose page it is may have changed with another log-in: the page that asks finds out.
      ctx.res().setHeader(WHO_HEADER, session.who().id().toString());
      ctx.res().setHeader(Form.CSRF_HEADER, session.csrf());
    }
    pages.send(ctx, status, template, pages.frame(title, place, session), it);
  }

  /**
   * Sends the browser to another page of the dashboard; also from a part.
   *
   * @param path on this host
   */
  public void goTo(String path) {
    Pages.protect(ctx.res());
    if (wantsPart()) {
      ctx.res().setHeader("HX-Redirect", path);
      ctx.res().setStatus(HttpStatus.NO_CONTENT.getCode());
    } else {
      ctx.res().setHeader("Location", path);
      ctx.res().setStatus(HttpStatus.SEE_OTHER.getCode());
    }
  }

  /** The request and the answer, for what is neither page nor part. */
  public Context context() {
    return ctx;
  }
}
