package dev.onejob.server.ui.page;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The line over which a request has come. The server's own limit is about silence alone, and is as
 * long as the longest wait of the API; a byte now and then is no silence.
 */
public final class Line {
  private static final Logger LOG = LoggerFactory.getLogger(Line.class);

  private final EndPoint end;
  private final Scheduler scheduler;

  private Line(EndPoint end, Scheduler scheduler) {
    this.end = end;
    this.scheduler = scheduler;
  }

  /** Of a request that is being answered. */
  public static Line of(HttpServletRequest request) {
    ServletContextRequest found = ServletContextRequest.getServletContextRequest(request);
    return new Line(
        found.getConnectionMetaData().getConnection().getEndPoint(),
        found.getComponents().getScheduler());
  }

  /** A limit that holds until it is closed. */
  public interface Limit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Cuts the line after a time, from outside of the thread that waits for it: that one gets an
   * {@link IOException} then.
   *
   * @param what is too slow then, for the log
   */
  public Limit cutAfter(Duration most, String what) {
    Scheduler.Task cut =
        scheduler.schedule(
            () -> {
              LOG.debug("{} was not over within {} ms; its line is cut", what, most.toMillis());
              end.close(new IOException(what + " is too slow"));
            },
            most.toMillis(),
            TimeUnit.MILLISECONDS);
    return cut::cancel;
  }

  /** Takes a shorter silence than usual for the end of whoever should send. */
  public Limit silentFor(Duration most) {
    long usual = end.getIdleTimeout();
    end.setIdleTimeout(most.toMillis());
    return () -> end.setIdleTimeout(usual);
  }
}
