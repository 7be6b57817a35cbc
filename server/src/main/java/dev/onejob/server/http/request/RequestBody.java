package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Takes bodies in, never more of them than the limit. */
public final class RequestBody {
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

  private static byte[] bytes(HttpServletRequest request, int most) throws IOException {
    long announced = request.getContentLengthLong();
    if (announced > most) {
      throw tooLarge(most);
    }
    InputStream stream = request.getInputStream();
    byte[] body = stream.readNBytes(announced < 0 ? most + 1 : (int) announced);
    if (body.length > most) {
      throw tooLarge(most);
    }
    return body;
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
