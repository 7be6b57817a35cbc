package dev.onejob.server.ui.live;

import dev.onejob.server.access.Session;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Pages;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The line over which one open page hears that something has changed. */
public final class EventStream {
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /** Shorter than what even hasty proxies allow a silent line, which is ten seconds. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);

  /** How late the end of a session on another node may be noticed. */
  private static final Duration SESSION_CHECK = Duration.ofSeconds(15);

  private static final byte[] BEGIN = bytes("retry: 3000\nevent: begin\ndata:\n\n");
  private static final byte[] CHANGED = bytes("event: changed\ndata:\n\n");
  private static final byte[] STILL_HERE = bytes(": still here\n\n");
  private static final byte[] OVER = bytes("event: over\ndata:\n\n");

  private final Feed feed;
  private final LongSupplier nanos;

  /**
   * Lines over a feed.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public EventStream(Feed feed, LongSupplier nanos) {
    this.feed = feed;
    this.nanos = nanos;
  }

  /**
   * Holds the line until the page, the session or the node is gone.
   *
   * @param alive whether the session still is; asked now and then
   */
  public void hold(Context ctx, Session session, BooleanSupplier alive)
      throws IOException, SQLException, InterruptedException {
    Topic topic =
        Optional.ofNullable(ctx.queryParam("topic"))
            .flatMap(Topic::parse)
            .orElseThrow(Problem::notFound);
    if (!feed.covers(Acts.reach(session.who()), topic)) {
      throw Problem.notFound();
    }
    try (Subscription subscription =
        feed.watch(topic, session.id()).orElseThrow(EventStream::full)) {
      OutputStream out = head(ctx);
      try {
        tell(out, subscription, alive);
      } catch (IOException e) {
        LOG.debug("a live page has gone", e);
      }
    }
  }

  private void tell(OutputStream out, Subscription subscription, BooleanSupplier alive)
      throws IOException, InterruptedException {
    write(out, BEGIN);
    long askedAt = nanos.getAsLong();
    while (true) {
      Subscription.News news = subscription.await(HEARTBEAT);
      if (nanos.getAsLong() - askedAt >= SESSION_CHECK.toNanos()) {
        askedAt = nanos.getAsLong();
        if (!alive.getAsBoolean()) {
          news = Subscription.News.OVER;
        }
      }
      switch (news) {
        case CHANGED -> write(out, CHANGED);
        case NOTHING -> write(out, STILL_HERE);
        case OVER -> {
          write(out, OVER);
          return;
        }
      }
    }
  }

  private static OutputStream head(Context ctx) throws IOException {
    HttpServletResponse response = ctx.res();
    Pages.protect(response);
    response.setStatus(200);
    response.setContentType("text/event-stream; charset=utf-8");
    response.setHeader("X-Accel-Buffering", "no"); // nginx would hold events back
    response.flushBuffer();
    return response.getOutputStream();
  }

  private static void write(OutputStream out, byte[] event) throws IOException {
    out.write(event);
    out.flush();
  }

  private static RuntimeException full() {
    return Problem.of(ProblemType.OVERLOADED, "No more live pages; this one is not live.")
        .withHeader("Retry-After", "10")
        .asException();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
