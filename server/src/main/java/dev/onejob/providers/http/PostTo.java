package dev.onejob.providers.http;

import dev.onejob.domain.Failure;
import dev.onejob.providers.Quoted;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request to addresses that the caller has looked up and judged, and reads no more of the
 * answer than its head. Nothing is looked up again in between, so that a name that means another
 * machine by now leads nowhere else. TLS is still agreed upon with the name.
 */
public final class PostTo {
  private final Post post;
  private final Line line;

  private PostTo(Post post, Line line) {
    this.post = post;
    this.line = line;
  }

  /**
   * Sends it over one connection, to the first of the addresses that takes it.
   *
   * @param addresses of the host in the request; not empty
   * @param patience for all of it: connecting, sending and listening
   * @return an answer without its body, or why there is none
   */
  public static Reply send(Post post, List<InetAddress> addresses, Duration patience) {
    try (Line line = new Line(post, patience, Timeouts.PLAIN, addresses)) {
      return new PostTo(post, line).run();
    }
  }

  private Reply run() {
    try {
      line.open();
    } catch (IOException e) {
      return new Reply.NotSent(failure(e, OnePost.CONNECT_FAILED, "no connection"));
    }
    IOException broken = write();
    try {
      Head head = new AnswerReader(new BufferedInputStream(line.in())).head();
      return new Reply.Answer(head, new byte[0]);
    } catch (UnreadableAnswer e) {
      return new Reply.NoAnswer(failure(e, OnePost.UNREADABLE_ANSWER, "the answer is not HTTP"));
    } catch (IOException e) {
      IOException first = broken == null ? e : broken;
      return new Reply.NoAnswer(failure(first, OnePost.CONNECTION_LOST, "the connection was lost"));
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

  private Failure failure(IOException e, String code, String what) {
    return line.why() == null
        ? new Failure(code, Quoted.message(what, e.getClass().getSimpleName()))
        : new Failure(OnePost.TIMEOUT, "no answer in time");
  }
}
