package dev.onejob.providers.http;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.provider.CallWatch;
import dev.onejob.providers.Quoted;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
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

  /** No first byte of an answer came within its own timeout. */
  public static final String FIRST_BYTE_TIMEOUT = "first-byte-timeout";

  /** An answer began, and then nothing more of it came within the timeout for silence. */
  public static final String SILENCE_TIMEOUT = "silence-timeout";

  /** A stop had been asked: the connection was closed, or nothing was sent. */
  public static final String STOP_ASKED = "stop-asked";

  /** A stream says each few letters of an answer in an envelope of its own. */
  private static final EventReader.Bounds STREAM =
      new EventReader.Bounds(Limits.BODY_BYTES_MAX, 64L << 20);

  private static final int OK = 200;

  private final Post post;
  private final Line line;
  private final CallWatch watch;

  private OnePost(Post post, Line line, CallWatch watch) {
    this.post = post;
    this.line = line;
    this.watch = watch;
  }

  /**
   * Sends it, with nothing but the connection bounded by itself.
   *
   * @param patience how long to listen for the answer, in all
   * @param onHead hears the head of the answer before its body is read
   * @throws InterruptedException if the calling virtual thread was interrupted
   */
  public static Reply send(Post post, Duration patience, CallWatch watch, Consumer<Head> onHead)
      throws InterruptedException {
    return send(post, new Patience(patience, Timeouts.PLAIN), watch, onHead);
  }

  /**
   * How long is waited.
   *
   * @param whole for the whole answer, from the beginning
   */
  public record Patience(Duration whole, Timeouts timeouts) {}

  /**
   * Sends it.
   *
   * @param onHead hears the head of the answer before its body is read
   * @throws InterruptedException if the calling virtual thread was interrupted
   */
  public static Reply send(Post post, Patience patience, CallWatch watch, Consumer<Head> onHead)
      throws InterruptedException {
    Post traced = watch.traceparent().map(post::withTraceparent).orElse(post);
    try (Line line = new Line(traced, patience.whole(), patience.timeouts())) {
      watch.onStop(() -> line.cut(Line.Cut.STOPPED));
      OnePost one = new OnePost(traced, line, watch);
      return one.run(reader -> one.read(reader, onHead), Function.identity());
    }
  }

  /**
   * Sends it, and hears the events of the answer while they come, where a 200 brings some.
   *
   * @param sink hears them; at its word nothing more is read
   * @throws InterruptedException if the calling virtual thread was interrupted
   */
  public static Streamed stream(Post post, Patience patience, CallWatch watch, EventSink sink)
      throws InterruptedException {
    Post traced = watch.traceparent().map(post::withTraceparent).orElse(post);
    try (Line line = new Line(traced, patience.whole(), patience.timeouts())) {
      watch.onStop(() -> line.cut(Line.Cut.STOPPED));
      OnePost one = new OnePost(traced, line, watch);
      return one.run(reader -> one.listen(reader, sink), Streamed.Plain::new);
    }
  }

  /** How an answer is read once the request is written. */
  private interface Reading<T> {
    T from(AnswerReader reader) throws IOException, InterruptedException;
  }

  private <T> T run(Reading<T> reading, Function<Reply, T> plain) throws InterruptedException {
    try {
      line.open();
    } catch (IOException e) {
      return plain.apply(new Reply.NotSent(failure(e, CONNECT_FAILED, "no connection")));
    }
    if (watch.stopAsked()) {
      return plain.apply(
          new Reply.NotSent(new Failure(STOP_ASKED, "stopped before the request had left")));
    }
    if (!watch.mayLeave()) {
      return plain.apply(
          new Reply.NotSent(
              new Failure(NOT_SENT, "it was too late for the request when it could have left")));
    }
    IOException broken = write();
    if (broken == null) {
      watch.handedOver();
    }
    try {
      return reading.from(new AnswerReader(new BufferedInputStream(line.in())));
    } catch (IOException e) {
      return plain.apply(new Reply.NoAnswer(unanswered(e, broken)));
    }
  }

  /**
   * Why there is no whole answer.
   *
   * @param broken what went wrong while the request was written, if something did
   */
  private Failure unanswered(IOException e, @Nullable IOException broken)
      throws InterruptedException {
    return switch (e) {
      case UnreadableAnswer u -> failure(u, UNREADABLE_ANSWER, "the answer cannot be read");
      case TooMuch t -> failure(t, UNREADABLE_ANSWER, "the answer cannot be read");
      case PatientStream.Expired x -> failure(x, x.code(), "the answer did not come in time");
      default -> {
        IOException first = broken == null ? e : broken;
        yield failure(first, CONNECTION_LOST, "the connection was lost");
      }
    };
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

  private Reply read(AnswerReader reader, Consumer<Head> onHead) throws IOException {
    Head head = reader.head();
    onHead.accept(head);
    return whole(reader, head);
  }

  private static Reply whole(AnswerReader reader, Head head) throws IOException {
    Optional<byte[]> body = reader.body(head, Limits.BODY_BYTES_MAX);
    return body.isPresent() ? new Reply.Answer(head, body.get()) : new Reply.TooLarge(head);
  }

  private Streamed listen(AnswerReader reader, EventSink sink)
      throws IOException, InterruptedException {
    Head head = reader.head();
    if (head.status() != OK || !head.isOfEvents()) {
      return new Streamed.Plain(whole(reader, head));
    }
    try {
      InputStream body = new BufferedInputStream(reader.stream(head, STREAM.streamBytes()));
      EventReader events = new EventReader(body, STREAM);
      for (ServerEvent event = events.next(); event != null; event = events.next()) {
        if (sink.hear(event) == EventSink.Heard.END) {
          return new Streamed.Ended(head);
        }
      }
      String message = "the stream was over before its end signal";
      return new Streamed.Cut(head, new Failure(CONNECTION_LOST, message));
    } catch (IOException e) {
      return new Streamed.Cut(head, unanswered(e, null));
    }
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
