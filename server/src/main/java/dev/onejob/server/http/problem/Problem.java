package dev.onejob.server.http.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * One occurrence of a problem.
 *
 * @param detail for people: what is wrong here, where, and what to do
 * @param extensions further members: texts, whole numbers, lists of texts, and maps of these
 * @param headers header fields that go with the answer
 */
public record Problem(
    ProblemType type,
    String detail,
    SequencedMap<String, Object> extensions,
    Map<String, String> headers) {

  /** A problem without extensions. */
  public static Problem of(ProblemType type, String detail) {
    return new Problem(type, detail, new LinkedHashMap<>(), Map.of());
  }

  /** The same with one more member. */
  public Problem with(String name, Object value) {
    SequencedMap<String, Object> more = new LinkedHashMap<>(extensions);
    more.put(name, value);
    return new Problem(type, detail, more, headers);
  }

  /** The same with one more header field. */
  public Problem withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(type, detail, extensions, more);
  }

  /** As an exception, for code that can go no further. */
  public ProblemException asException() {
    return new ProblemException(this);
  }

  /**
   * The one answer for what does not exist, what belongs to another owner, and what cannot be an
   * id: it never names what was asked for, so that the three cannot be told apart.
   */
  public static ProblemException notFound() {
    return of(ProblemType.NOT_FOUND, "Nothing is here, or nothing that this API key may see.")
        .asException();
  }

  /** A member of the body has a value that cannot be used. */
  public static ProblemException field(String pointer, String detail) {
    return of(ProblemType.FIELD_INVALID, detail).with("pointer", pointer).asException();
  }

  /** A query parameter cannot be used. */
  public static ProblemException parameter(String name, String detail) {
    return of(ProblemType.PARAMETER_INVALID, detail).with("parameter", name).asException();
  }
}
