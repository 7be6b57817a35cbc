package dev.onejob.server.ui.page;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends files, and cuts the line of whoever takes one too slowly: a file is kept in memory until it
 * is sent. The server's own limit is about silence alone, and a byte now and then is none.
 */
final class FileGiver {
  private static final Logger LOG = LoggerFactory.getLogger(FileGiver.class);

  /** A bad mobile line brings more; 4 MiB have two minutes. */
  private static final int BYTES_PER_SECOND_MIN = 32 << 10;

  /** Before that nobody is judged. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private FileGiver() {}

  /**
   * Sends a file to its end.
   *
   * @throws IOException if whoever asked for it has gone, or is too slow
   */
  static void give(Context ctx, Download file) throws IOException {
    int seconds = file.bytes().length / BYTES_PER_SECOND_MIN;
    give(ctx, file, PATIENCE.plusSeconds(seconds));
  }

  /**
   * The same within a time.
   *
   * @param most after which the line is cut
   */
  static void give(Context ctx, Download file, Duration most) throws IOException {
    EndPoint line = line(ctx);
    HttpServletResponse response = ctx.res();
    Pages.protect(response);
    response.setContentType(file.mediaType());
    response.setHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
    file.headers().forEach(response::setHeader);
    response.setContentLength(file.bytes().length);
    CountDownLatch sent = new CountDownLatch(1);
    Thread.ofVirtual().name("ui-file").start(() -> cutUnless(sent, line, most));
    try {
      response.getOutputStream().write(file.bytes());
      response.flushBuffer();
    } finally {
      sent.countDown();
    }
  }

  private static EndPoint line(Context ctx) {
    return ServletContextRequest.getServletContextRequest(ctx.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  /** From outside of the thread that writes, which waits for as long as bytes trickle. */
  private static void cutUnless(CountDownLatch sent, EndPoint line, Duration most) {
    try {
      if (!sent.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("a file was not taken within {} ms; its line is cut", most.toMillis());
        line.close(new IOException("the file is taken too slowly"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
