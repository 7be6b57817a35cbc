package dev.onejob.intent;

/** JSON that is not taken; the message says what is wrong, where, and what the limit is. */
public final class JsonRefused extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Reason {
    MALFORMED,
    DUPLICATE_MEMBER,
    TOO_DEEP,
    TOO_LARGE,
    NUMBER_TOO_LONG,
    STRING_TOO_LONG,
    NUL_CHARACTER,
    UNPAIRED_SURROGATE,
    INVALID_UTF8
  }

  private final Reason reason;
  private final String pointer;
  private final int offset;

  JsonRefused(Reason reason, String what, String pointer, int offset) {
    super(what + " at " + Place.shown(pointer) + ", byte " + offset);
    this.reason = reason;
    this.pointer = pointer;
    this.offset = offset;
  }

  /** What is wrong. */
  public Reason reason() {
    return reason;
  }

  /**
   * Where, as a JSON pointer (RFC 6901); empty for the value as a whole, cut off with an ellipsis
   * where it is longer than {@link dev.onejob.domain.Limits#JSON_POINTER_CHARS_MAX}.
   */
  public String pointer() {
    return pointer;
  }

  /** Where, as a byte offset into the source. */
  public int offset() {
    return offset;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
