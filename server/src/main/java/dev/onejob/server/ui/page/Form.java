package dev.onejob.server.ui.page;

import dev.onejob.domain.Mark;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What a person has filled in, read strictly: of a field that is there twice neither counts. */
public final class Form {
  /** The header that carries the token of the session where there is no form. */
  public static final String CSRF_HEADER = "X-CSRF-Token";

  /** The field that carries it in every form. */
  public static final String CSRF_FIELD = "csrf";

  /** The field of a form that says as what that was shown which it is about; others begin so. */
  public static final String AS_OF_FIELD = "as_of";

  /** What people fill in; a hundred attempts that are decided together need a tenth of it. */
  public static final int USUAL_BYTES_MAX = 64 << 10;

  /** Results that need more than this, percent-encoded, are for the API. */
  private static final int RESULT_BYTES_MAX = 5 << 20;

  /** What can be sent before it is known by whom. */
  private static final int STRANGERS_BYTES_MAX = 16 << 10;

  /** A log-out brings its token, and nothing else. */
  private static final int LOG_OUT_BYTES_MAX = 1 << 10;

  /** Less is no line, however bad, but somebody who wants to hold it. */
  private static final int BYTES_PER_SECOND_MIN = 100;

  /** Before that nobody is judged. */
  private static final int PATIENCE_SECONDS = 10;

  /** Whoever sends nothing for so long has gone. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

  /** A whole form has to come in that time, and in what its bytes take besides. */
  private static final int WHOLE_SECONDS = 30;

  private static final int WHOLE_BYTES_PER_SECOND = 64 << 10;

  private static final int PIECE_BYTES = 8 << 10;
  private static final int FIELDS_MAX = 1_000;
  private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

  /** Of a request that sends nothing. */
  public static final Form NONE = new Form(Map.of());

  private final Map<String, List<String>> fields;

  private Form(Map<String, List<String>> fields) {
    this.fields = fields;
  }

  /**
   * Reads the body of a request; one without a body has no fields.
   *
   * @throws ProblemException if it is no form, too large, too slow, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form read(HttpServletRequest request) throws IOException {
    return read(request, USUAL_BYTES_MAX, SILENCE_MAX);
  }

  /**
   * The same, with a result.
   *
   * @throws ProblemException if it is no form, too large, too slow, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form withResult(HttpServletRequest request) throws IOException {
    return read(request, RESULT_BYTES_MAX, SILENCE_MAX);
  }

  /**
   * The same of somebody who is not known yet: only a little is read.
   *
   * @throws ProblemException if it is no form, too large, too slow, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form ofStranger(HttpServletRequest request) throws IOException {
    return read(request, STRANGERS_BYTES_MAX, SILENCE_MAX);
  }

  /**
   * The same of somebody who wants to go.
   *
   * @throws ProblemException if it is no form, too large, too slow, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form ofLogOut(HttpServletRequest request) throws IOException {
    return read(request, LOG_OUT_BYTES_MAX, SILENCE_MAX);
  }

  /**
   * Takes in what was not read, as far as a form may go, and forgets it.
   *
   * @throws ProblemException if it comes too slowly
   */
  public static void discard(HttpServletRequest request) throws IOException {
    OutputStream nowhere = OutputStream.nullOutputStream();
    Line.Limit limit = Line.of(request).silentFor(SILENCE_MAX);
    try (limit) {
      copy(request.getInputStream(), nowhere, RESULT_BYTES_MAX, System::nanoTime);
    }
  }

  static Form read(HttpServletRequest request, int most, Duration silence) throws IOException {
    if (request.getContentLengthLong() > most) {
      throw tooLarge(most);
    }
    byte[] body;
    Line.Limit limit = Line.of(request).silentFor(silence);
    try (limit) {
      body = bytes(request.getInputStream(), most + 1, System::nanoTime);
    } catch (IOException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw tooSlow("Nothing more of the form came for " + silence.toMillis() + " ms.");
      }
      throw e;
    }
    if (body.length > most) {
      throw tooLarge(most);
    }
    if (body.length > 0 && !isForm(request.getContentType())) {
      throw Problem.of(ProblemType.MEDIA_TYPE_UNSUPPORTED, "A form is sent as " + MEDIA_TYPE + ".")
          .asException();
    }
    return parse(new String(body, StandardCharsets.ISO_8859_1));
  }

  private static ProblemException tooLarge(int most) {
    return Problem.of(ProblemType.BODY_TOO_LARGE, "The form is larger than " + most + " bytes.")
        .withHeader("Connection", "close")
        .asException();
  }

  private static ProblemException tooSlow(String why) {
    return Problem.of(ProblemType.REQUEST_TIMEOUT, why)
        .withHeader("Connection", "close")
        .asException();
  }

  /**
   * What comes, up to a bound.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   * @throws ProblemException if it comes slower than {@link #BYTES_PER_SECOND_MIN}, or takes too
   *     long as a whole
   */
  static byte[] bytes(InputStream body, int most, LongSupplier nanos) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    copy(body, all, most, nanos);
    return all.toByteArray();
  }

  private static void copy(InputStream body, OutputStream to, int most, LongSupplier nanos)
      throws IOException {
    byte[] piece = new byte[Math.min(PIECE_BYTES, most)];
    long begin = nanos.getAsLong();
    int all = 0;
    int read = 0;
    while (read >= 0 && all < most) {
      read = body.read(piece, 0, Math.min(piece.length, most - all));
      if (read > 0) {
        to.write(piece, 0, read);
        all += read;
      }
      if (read >= 0) {
        judge(all, most, Duration.ofNanos(nanos.getAsLong() - begin).toSeconds());
      }
    }
  }

  private static void judge(int bytes, int most, long seconds) {
    if (seconds >= PATIENCE_SECONDS && bytes < seconds * BYTES_PER_SECOND_MIN) {
      throw tooSlow("The form comes slower than " + BYTES_PER_SECOND_MIN + " bytes a second.");
    }
    long whole = WHOLE_SECONDS + most / WHOLE_BYTES_PER_SECOND;
    if (seconds >= whole) {
      throw tooSlow("The form was not there within " + whole + " seconds.");
    }
  }

  private static boolean isForm(@Nullable String contentType) {
    return contentType != null
        && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(MEDIA_TYPE);
  }

  static Form parse(String text) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return new Form(fields);
    }
    int count = 0;
    for (int from = 0; from <= text.length(); count++) {
      if (count == FIELDS_MAX) {
        throw unreadable("it has more than " + FIELDS_MAX + " fields");
      }
      int and = text.indexOf('&', from);
      int end = and < 0 ? text.length() : and;
      int equals = text.indexOf('=', from, end);
      String name = decoded(text.substring(from, equals < 0 ? end : equals));
      // Browsers send the end of each line as two characters; nobody has typed the first.
      String value =
          equals < 0 ? "" : decoded(text.substring(equals + 1, end)).replace("\r\n", "\n");
      fields.computeIfAbsent(name, each -> new ArrayList<>()).add(value);
      from = end + 1;
    }
    return new Form(fields);
  }

  /** Bytes first, then strict UTF-8: the usual decoder would put marks for what it cannot read. */
  private static String decoded(String text) {
    try {
      String bytes = URLDecoder.decode(text, StandardCharsets.ISO_8859_1);
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw unreadable("a field is not percent-encoded UTF-8");
    }
  }

  private static ProblemException unreadable(String why) {
    return Problem.of(ProblemType.BODY_INVALID, "The form cannot be read: " + why + ".")
        .asException();
  }

  /** What was filled in; null if the field is not there, is there twice, or is blank. */
  public @Nullable String text(String name) {
    String exact = exact(name);
    return exact == null || exact.isBlank() ? null : exact.strip();
  }

  /**
   * The same to the letter, but for the ends of lines: each is one character. Blank text is text.
   * Null if it is not there once.
   */
  public @Nullable String exact(String name) {
    List<String> values = fields.getOrDefault(name, List.of());
    return values.size() == 1 ? values.getFirst() : null;
  }

  /** As what the job was shown that the form is about; of a form that does not say, as no job. */
  public Mark asOf() {
    return markOf(AS_OF_FIELD);
  }

  /** The same, from a field of that name. */
  public Mark markOf(String name) {
    String text = text(name);
    return new Mark(text == null ? "" : text);
  }

  /**
   * What people have filled in and the page has added, to the letter and in its order, without what
   * proves where the form comes from and as of what.
   */
  public Map<String, String> typed() {
    Map<String, String> typed = new LinkedHashMap<>();
    for (String name : fields.keySet()) {
      String value = exact(name);
      if (value != null && !name.equals(CSRF_FIELD) && !name.startsWith(AS_OF_FIELD)) {
        typed.put(name, value);
      }
    }
    return typed;
  }

  /** All values of a field that may be there many times, such as boxes that are ticked. */
  public List<String> all(String name) {
    return List.copyOf(fields.getOrDefault(name, List.of()));
  }

  /**
   * What has to be filled in.
   *
   * @throws ProblemException if it is not
   */
  public String required(String name) {
    String text = text(name);
    if (text == null) {
      throw Problem.field("/" + name, "Fill in " + name + ".");
    }
    return text;
  }
}
