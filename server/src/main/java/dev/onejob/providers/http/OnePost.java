package dev.onejob.providers.http;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.provider.CallWatch;
import dev.onejob.providers.Quoted;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request and reads its answer, over one connection that is used for nothing else.
 *
 * <p>The trace context of the attempt is sent along. Redirects are answers like any other. A stop
 * closes the connection.
 */
public final class OnePost {
  /** The request did not leave: no connection was made. */
  public static final String CONNECT_FAILED = "connect-failed";

  /** The request did not leave: it was too late for that when the connection was there. */
  public static final String NOT_SENT = "not-sent";

  /** The connection ended before a whole answer came. */
  public static final String CONNECTION_LOST = "connection-lost";

  /** What came back cannot be read. */
  public static final String UNREADABLE_ANSWER = "unreadable-answer";

  /** No answer came for as long as anyone listened. */
  public static final String TIMEOUT = "timeout";

  /** The connection was closed because a stop had been asked. */
  public static final String STOP_ASKED = "stop-asked";

  private final Post post;
  private final Line line;
  private final CallWatch watch;

  private OnePost(Post post, Line line, CallWatch watch) {
    this.post = post;
    this.line = line;
    this.watch = watch;
  }

  /**
   * Sends it.
   *
   * @param patience how long to listen for the answer, in all
   * @param onHead hears the head of the answer before its body is read
   * @throws InterruptedException if the calling virtual thread was interrupted
   */
  public static Reply send(Post post, Duration patience, CallWatch watch, Consumer<Head> onHead)
      throws InterruptedException {
    Post traced = watch.traceparent().map(post::withTraceparent).orElse(post);
    try (Line line = new Line(traced, patience)) {
      watch.onStop(() -> line.cut(Line.Cut.STOPPED));
      return new OnePost(traced, line, watch).run(onHead);
    }
  }

  private Reply run(Consumer<Head> onHead) throws InterruptedException {
    try {
      line.open();
    } catch (IOException e) {
      return new Reply.NotSent(failure(e, CONNECT_FAILED, "no connection"));
    }
    if (!watch.mayLeave()) {
      return new Reply.NotSent(
          new Failure(NOT_SENT, "the attempt was in doubt before its request had left"));
    }
    IOException broken = write();
    if (broken == null) {
      watch.handedOver();
    }
    try {
      return read(onHead);
    } catch (UnreadableAnswer e) {
      return new Reply.NoAnswer(failure(e, UNREADABLE_ANSWER, "the answer cannot be read"));
    } catch (IOException e) {
      IOException first = broken == null ? e : broken;
      return new Reply.NoAnswer(failure(first, CONNECTION_LOST, "the connection was lost"));
    }
  }

  /** Null if all was written. Else an answer may still be there: a refusal of what came so far. */
  private @Nullable IOException write() {
    try {
      OutputStream out = line.out();
      out.write(post.head());
      out.write(post.body());
      out.flush();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private Reply read(Consumer<Head> onHead) throws IOException {
    AnswerReader reader = new AnswerReader(new BufferedInputStream(line.in()));
    Head head = reader.head();
    onHead.accept(head);
    Optional<byte[]> body = reader.body(head, Limits.BODY_BYTES_MAX);
    return body.isPresent() ? new Reply.Answer(head, body.get()) : new Reply.TooLarge(head);
  }

  private Failure failure(IOException e, String code, String what) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("no longer listening");
    }
    return switch (line.why()) {
      case EXPIRED -> new Failure(TIMEOUT, "no answer within the time that was listened");
      case STOPPED -> new Failure(STOP_ASKED, "the connection was closed to stop the work");
      case null -> new Failure(code, Quoted.message(what, describe(e)));
    };
  }

  private static String describe(IOException e) {
    String name = e.getClass().getSimpleName();
    return e.getMessage() == null ? name : name + ": " + e.getMessage();
  }
}
