package dev.onejob.server.ui.page;

import dev.onejob.domain.Mark;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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

  /** Results that need more than this, percent-encoded, are for the API. */
  private static final int BYTES_MAX = 5 << 20;

  /** What can be sent before it is known by whom. */
  private static final int STRANGERS_BYTES_MAX = 16 << 10;

  /** Less is no line, however bad, but somebody who wants to hold it. */
  private static final int BYTES_PER_SECOND_MIN = 100;

  /** Before that nobody is judged. */
  private static final int PATIENCE_SECONDS = 10;

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
   * @throws ProblemException if it is no form, too large, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form read(HttpServletRequest request) throws IOException {
    return read(request, BYTES_MAX);
  }

  /**
   * The same of somebody who is not known yet: only a little is read.
   *
   * @throws ProblemException if it is no form, too large, or not in UTF-8
   * @throws IOException if it does not arrive whole
   */
  public static Form ofStranger(HttpServletRequest request) throws IOException {
    return read(request, STRANGERS_BYTES_MAX);
  }

  /**
   * Takes in a little of what was not read, and forgets it.
   *
   * @throws ProblemException if it comes too slowly
   */
  public static void discard(HttpServletRequest request) throws IOException {
    bytes(request.getInputStream(), STRANGERS_BYTES_MAX, System::nanoTime);
  }

  private static Form read(HttpServletRequest request, int most) throws IOException {
    byte[] body = bytes(request.getInputStream(), most + 1, System::nanoTime);
    if (body.length > most) {
      throw Problem.of(ProblemType.BODY_TOO_LARGE, "The form is larger than " + most + " bytes.")
          .withHeader("Connection", "close")
          .asException();
    }
    if (body.length > 0 && !isForm(request.getContentType())) {
      throw Problem.of(ProblemType.MEDIA_TYPE_UNSUPPORTED, "A form is sent as " + MEDIA_TYPE + ".")
          .asException();
    }
    return parse(new String(body, StandardCharsets.ISO_8859_1));
  }

  /**
   * What comes, up to a bound.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   * @throws ProblemException if it comes slower than {@link #BYTES_PER_SECOND_MIN}
   */
  static byte[] bytes(InputStream body, int most, LongSupplier nanos) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece = new byte[8 << 10];
    long begin = nanos.getAsLong();
    int read = 0;
    while (read >= 0 && all.size() < most) {
      read = body.read(piece, 0, Math.min(piece.length, most - all.size()));
      all.write(piece, 0, Math.max(0, read));
      long seconds = Duration.ofNanos(nanos.getAsLong() - begin).toSeconds();
      if (read >= 0 && seconds >= PATIENCE_SECONDS && all.size() < seconds * BYTES_PER_SECOND_MIN) {
        throw Problem.of(
                ProblemType.REQUEST_TIMEOUT,
                "The form comes slower than " + BYTES_PER_SECOND_MIN + " bytes a second.")
            .withHeader("Connection", "close")
            .asException();
      }
    }
    return all.toByteArray();
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
    String[] pairs = text.split("&", FIELDS_MAX + 1);
    if (pairs.length > FIELDS_MAX) {
      throw unreadable("it has more than " + FIELDS_MAX + " fields");
    }
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      // Browsers send the end of each line as two characters; nobody has typed the first.
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1)).replace("\r\n", "\n");
      fields.computeIfAbsent(name, each -> new ArrayList<>()).add(value);
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
