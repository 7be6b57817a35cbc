package dev.onejob.server.ui.page;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Sends what was made for somebody after they have given back all that it was made with: whoever
 * reads slowly, or never, holds nothing but their own answer, and that not for long. Safe for many
 * threads.
 */
public final class AnswerGiver {
  private static final String KEPT = "dev.onejob.answer";

  /** Pages are smaller; files may be megabytes. */
  static final int LARGE_BYTES = 256 << 10;

  /** Most large answers at once: each stays in memory until it is sent. */
  private static final int LARGE_MAX = 8;

  private static final int LARGE_OF_KEY_MAX = 2;

  /** Most answers at once to requests with one API key. */
  private static final int OF_KEY_MAX = 64;

  /** At once into the server: it copies what it is given. */
  private static final int PIECE_BYTES = 32 << 10;

  private final Duration patience;
  private final int bytesPerSecondMin;
  private final Turns large = new Turns(Turns.Bounds.atOnce(LARGE_MAX));
  private final Shares largeOfKeys = new Shares(Turns.Bounds.atOnce(LARGE_OF_KEY_MAX));
  private final Shares ofKeys = new Shares(Turns.Bounds.atOnce(OF_KEY_MAX));

  /** With what a bad mobile line needs: 4 MiB have two minutes, a page ten seconds. */
  public AnswerGiver() {
    this(Duration.ofSeconds(10), 32 << 10);
  }

  /**
   * With less.
   *
   * @param patience before which no line is cut
   * @param bytesPerSecondMin what has to be taken besides, on the average
   */
  AnswerGiver(Duration patience, int bytesPerSecondMin) {
    this.patience = patience;
    this.bytesPerSecondMin = bytesPerSecondMin;
  }

  /** Keeps the content of an answer until it is given; what was kept before is forgotten. */
  static void keep(Context ctx, byte[] bytes) {
    ctx.attribute(KEPT, bytes);
    ctx.res().setContentLength(bytes.length);
  }

  /**
   * Gives what was kept, if anything was.
   *
   * @param key of the person; null: nobody has logged in, and nothing large is given
   * @throws ProblemException if there is no room for so much; nothing was sent then
   * @throws IOException if they have gone, or are too slow
   */
  public void give(Context ctx, @Nullable UUID key) throws Exception {
    byte[] bytes = ctx.attribute(KEPT);
    if (bytes == null) {
      return;
    }
    Callable<Boolean> write =
        () -> {
          write(ctx, bytes);
          return true;
        };
    if (key == null) {
      write.call();
    } else if (bytes.length <= LARGE_BYTES) {
      ofKeys.during(key, write, AnswerGiver::refused);
    } else {
      largeOfKeys.during(
          key, () -> large.during(write, AnswerGiver::refused), AnswerGiver::refused);
    }
  }

  private static ProblemException refused() {
    return Problem.of(
            ProblemType.OVERLOADED,
            "Too many answers are on their way already; try again when they are there.")
        .withHeader("Retry-After", "5")
        .asException();
  }

  /**
   * Sends bytes, and cuts the line of whoever does not take them.
   *
   * @throws IOException if they have gone, or are too slow
   */
  public void write(Context ctx, byte[] bytes) throws IOException {
    Duration most = patience.plusMillis(1_000L * bytes.length / bytesPerSecondMin);
    Line.Limit limit = Line.of(ctx.req()).cutAfter(most, "an answer");
    try (limit) {
      OutputStream out = ctx.res().getOutputStream();
      for (int from = 0; from < bytes.length; from += PIECE_BYTES) {
        out.write(bytes, from, Math.min(PIECE_BYTES, bytes.length - from));
      }
      ctx.res().flushBuffer();
    }
  }
}
