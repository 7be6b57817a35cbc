package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes bodies in, never more of them than the limit. */
public final class RequestBody {
  private static final String CALLER = "dev.onejob.caller";

  /** All who have shown no API key, such as providers that call back, share as one caller. */
  private static final UUID STRANGERS = new UUID(0, 0);

  /** Less is not counted: each of the most calls at once may bring as much. */
  static final int SMALL_BYTES = 16 << 10;

  /** A large body has to come in that time, and in what its bytes take besides. */
  private static final int WHOLE_SECONDS = 30;

  private static final int WHOLE_BYTES_PER_SECOND = 16 << 10;

  /** The memory is the process's, however many nodes it may have. */
  private static final BodyRoom ROOM =
      BodyRoom.of(Runtime.getRuntime().maxMemory(), Limits.BODY_BYTES_MAX);

  private RequestBody() {}

  /**
   * The bytes of the body; empty if there is none.
   *
   * @throws ProblemException if it is too large, encoded, or not JSON by its own account
   * @throws IOException if it does not arrive whole
   */
  public static byte[] read(HttpServletRequest request) throws IOException {
    refuseEncoding(request.getHeader("Content-Encoding"));
    refuseOtherTypes(request.getHeader("Content-Type"));
    return bytes(request, Limits.BODY_BYTES_MAX);
  }

  /**
   * The bytes of the body as they came, whatever the sender calls them: a signature is about them.
   *
   * @param most bytes that are read
   * @throws ProblemException if it is too large, or encoded
   * @throws IOException if it does not arrive whole
   */
  public static byte[] raw(HttpServletRequest request, int most) throws IOException {
    refuseEncoding(request.getHeader("Content-Encoding"));
    return bytes(request, most);
  }

  /** Says whose body it is, once that is known. */
  public static void sentBy(HttpServletRequest request, UUID caller) {
    request.setAttribute(CALLER, caller);
  }

  private static byte[] bytes(HttpServletRequest request, int most) throws IOException {
    return bytes(request, most, ROOM);
  }

  static byte[] bytes(HttpServletRequest request, int most, BodyRoom room) throws IOException {
    long announced = request.getContentLengthLong();
    if (announced > most) {
      throw tooLarge(most);
    }
    InputStream stream = request.getInputStream();
    if (announced >= 0 && announced <= SMALL_BYTES) {
      return stream.readNBytes((int) announced);
    }
    UUID caller = request.getAttribute(CALLER) instanceof UUID known ? known : STRANGERS;
    if (announced >= 0) {
      int bytes = (int) announced;
      return room.during(caller, bytes, () -> fill(stream, new byte[0], bytes));
    }
    byte[] begin = stream.readNBytes(SMALL_BYTES); // most that do not say how much comes are small
    if (begin.length < SMALL_BYTES) {
      return begin;
    }
    byte[] body = room.during(caller, most, () -> fill(stream, begin, most + 1));
    if (body.length > most) {
      throw tooLarge(most);
    }
    return body;
  }

  /** What comes after the beginning, up to so many bytes in all, unless it comes too slowly. */
  private static byte[] fill(InputStream stream, byte[] begin, int all) throws IOException {
    long from = System.nanoTime();
    long seconds = WHOLE_SECONDS + all / WHOLE_BYTES_PER_SECOND;
    byte[] body = Arrays.copyOf(begin, all);
    int at = begin.length;
    int read = 0;
    while (read >= 0 && at < all) {
      at += read;
      if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(seconds)) {
        throw Problem.of(
                ProblemType.REQUEST_TIMEOUT,
                "The body was not there within " + seconds + " seconds.")
            .withHeader("Connection", "close")
            .asException();
      }
      read = stream.read(body, at, all - at);
    }
    return at == all ? body : Arrays.copyOf(body, at);
  }

  /** What is left unread is thrown away up to this bound, so that the refusal can be read. */
  public static void discardRest(HttpServletRequest request) throws IOException {
    request.getInputStream().skip(Limits.BODY_BYTES_MAX);
  }

  private static ProblemException tooLarge(int most) {
    return Problem.of(ProblemType.BODY_TOO_LARGE, "The body is larger than " + most + " bytes.")
        .with("limit_bytes", most)
        .withHeader("Connection", "close")
        .asException();
  }

  /** Compressed bodies are refused, not inflated: a few bytes could stand for gigabytes. */
  private static void refuseEncoding(@Nullable String encoding) {
    if (encoding != null && !encoding.isBlank() && !encoding.equalsIgnoreCase("identity")) {
      throw Problem.of(
              ProblemType.MEDIA_TYPE_UNSUPPORTED,
              "A body with Content-Encoding is not read; send it as it is.")
          .withHeader("Accept-Encoding", "identity")
          .asException();
    }
  }

  private static void refuseOtherTypes(@Nullable String contentType) {
    if (contentType != null && !isJson(contentType)) {
      throw Problem.of(
              ProblemType.MEDIA_TYPE_UNSUPPORTED,
              "A body is JSON in UTF-8, with Content-Type: application/json.")
          .withHeader("Accept", "application/json")
          .asException();
    }
  }

  private static boolean isJson(String contentType) {
    String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
    if (!parts[0].strip().equals("application/json")) {
      return false;
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.startsWith("charset=") && !parameter.replace("\"", "").endsWith("=utf-8")) {
        return false;
      }
    }
    return true;
  }
}
