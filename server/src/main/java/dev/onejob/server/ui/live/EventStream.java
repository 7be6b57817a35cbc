package dev.onejob.server.ui.live;

import dev.onejob.server.access.Session;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Line;
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

  /** A line that takes nothing for so long is cut: its browser has vanished, or never reads. */
  private static final Duration WRITE_MAX = Duration.ofSeconds(10);

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

  /** What a person wants to hear of, and may. */
  public record Watched(Topic topic, Session session) {}

  /**
   * What is asked for, within reach.
   *
   * @throws dev.onejob.server.http.problem.ProblemException if that is nothing
   */
  public Watched watched(Context ctx, Session session) throws SQLException {
    Topic topic =
        Optional.ofNullable(ctx.queryParam("topic"))
            .flatMap(Topic::parse)
            .orElseThrow(Problem::notFound);
    if (!feed.covers(Acts.reach(session.who()), topic)) {
      throw Problem.notFound();
    }
    return new Watched(topic, session);
  }

  /**
   * Holds the line until the page, the session or the node is gone.
   *
   * @param alive whether the session still is; asked now and then
   */
  public void hold(Context ctx, Watched watched, BooleanSupplier alive)
      throws IOException, InterruptedException {
    try (Subscription subscription =
        feed.watch(watched.topic(), watched.session()).orElseThrow(EventStream::full)) {
      Out out = head(ctx);
      try {
        tell(out, subscription, alive);
      } catch (IOException e) {
        LOG.debug("a live page has gone", e);
      }
    }
  }

  /** Where events go to. */
  private record Out(Line line, OutputStream stream) {
    void write(byte[] event) throws IOException {
      Line.Limit limit = line.cutAfter(WRITE_MAX, "a live page");
      try (limit) {
        stream.write(event);
        stream.flush();
      }
    }
  }

  private void tell(Out out, Subscription subscription, BooleanSupplier alive)
      throws IOException, InterruptedException {
    out.write(BEGIN);
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
        case CHANGED -> out.write(CHANGED);
        case NOTHING -> out.write(STILL_HERE);
        case OVER -> {
          out.write(OVER);
          return;
        }
      }
    }
  }

  private static Out head(Context ctx) throws IOException {
    HttpServletResponse response = ctx.res();
    Pages.protect(response);
    response.setStatus(200);
    response.setContentType("text/event-stream; charset=utf-8");
    response.setHeader("X-Accel-Buffering", "no"); // nginx would hold events back
    return new Out(Line.of(ctx.req()), response.getOutputStream());
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
