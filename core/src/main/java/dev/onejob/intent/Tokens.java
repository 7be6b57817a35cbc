package dev.onejob.intent;

import dev.onejob.intent.JsonRefused.Reason;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** The tokens of JSON, one by one, with their limits. */
final class Tokens {
  private static final int UNICODE_ESCAPE_BYTES = 6;

  private final byte[] source;
  private final JsonLimits limits;
  private final StrictJson.Dialect dialect;
  private final Supplier<String> pointer;
  private int at;

  /** Where the character or escape begins that is being read within a string. */
  private int piece;

  Tokens(byte[] source, JsonLimits limits, StrictJson.Dialect dialect, Supplier<String> pointer) {
    this.source = source;
    this.limits = limits;
    this.dialect = dialect;
    this.pointer = pointer;
  }

  int position() {
    return at;
  }

  boolean atEnd() {
    return at >= source.length;
  }

  /** The next byte; 0 at the end, which no token begins with. */
  char peek() {
    return peekAt(at);
  }

  private char peekAt(int place) {
    return place >= source.length ? 0 : (char) (source[place] & 0xFF);
  }

  void take() {
    at++;
  }

  void skipSpace() {
    while (!atEnd() && isSpace(source[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  void expect(String word) throws JsonRefused {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw refused(Reason.MALFORMED, (atEnd() ? "the end instead of " : "expected ") + word);
      }
      at++;
    }
  }

  JsonRefused refused(Reason reason, String what) {
    return refused(reason, what, at);
  }

  private JsonRefused refused(Reason reason, String what, int offset) {
    return new JsonRefused(reason, what, pointer.get(), offset);
  }

  String number() throws JsonRefused {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (peek() == '.') {
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
    if (at - start > limits.numberCharsMax()) {
      throw refused(
          Reason.NUMBER_TOO_LONG,
          "a number of over " + limits.numberCharsMax() + " characters",
          start);
    }
    return new String(source, start, at - start, StandardCharsets.US_ASCII);
  }

  private void digits() throws JsonRefused {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw refused(Reason.MALFORMED, atEnd() ? "the end of a value too early" : "no JSON value");
    }
  }

  /** A string; the position is at its opening quote. */
  String string() throws JsonRefused {
    int start = at++;
    int simple = simpleRun();
    if (peekAt(at + simple) == '"' && simple <= limits.stringCharsMax()) {
      at += simple + 1;
      return new String(source, start + 1, simple, StandardCharsets.US_ASCII);
    }
    StringBuilder text = new StringBuilder();
    while (peek() != '"') {
      piece = at;
      if (atEnd()) {
        throw refused(Reason.MALFORMED, "a string without its end", start);
      }
      int run = simpleRun();
      if (run > 0) {
        plain(text, run);
      } else if (peek() == '\\') {
        escape(text);
      } else {
        plain(text);
      }
      if (text.length() > limits.stringCharsMax()) {
        throw refused(
            Reason.STRING_TOO_LONG,
            "a string of over " + limits.stringCharsMax() + " characters",
            start);
      }
    }
    if (endsInHighSurrogate(text)) {
      unpaired(at - UNICODE_ESCAPE_BYTES);
    }
    at++;
    return text.toString();
  }

  /** How many bytes from here on are characters of ASCII that stand for themselves. */
  private int simpleRun() {
    int end = at;
    while (end < source.length
        && source[end] >= ' ' // which no byte of a longer character is
        && source[end] != '"'
        && source[end] != '\\') {
      end++;
    }
    return end - at;
  }

  private void plain(StringBuilder text, int run) throws JsonRefused {
    if (endsInHighSurrogate(text)) {
      unpaired(piece - UNICODE_ESCAPE_BYTES);
    }
    text.append(new String(source, at, run, StandardCharsets.US_ASCII));
    at += run;
  }

  private void plain(StringBuilder text) throws JsonRefused {
    if (peek() == 0) {
      throw refused(Reason.NUL_CHARACTER, "the character U+0000 is not taken", piece);
    }
    if (peek() < ' ') {
      throw refused(Reason.MALFORMED, "a bare control character in a string", piece);
    }
    if (endsInHighSurrogate(text)) {
      unpaired(piece - UNICODE_ESCAPE_BYTES);
    }
    text.appendCodePoint(codePoint());
  }

  private static boolean endsInHighSurrogate(StringBuilder text) {
    return !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
  }

  /** A lone surrogate is refused in an input; in a result it stays what it is. */
  private void unpaired(int offset) throws JsonRefused {
    if (dialect == StrictJson.Dialect.INPUT) {
      throw refused(Reason.UNPAIRED_SURROGATE, "half of a surrogate pair", offset);
    }
  }

  /** One code point of UTF-8 (RFC 3629): shortest form, no surrogates, at most U+10FFFF. */
  private int codePoint() throws JsonRefused {
    int first = source[at++] & 0xFF;
    if (first < 0x80) {
      return first;
    }
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (first < 0xC2 || first > 0xF4 || at + more > source.length) {
      throw refused(Reason.INVALID_UTF8, "bytes that are not UTF-8", piece);
    }
    int point = first & (0x3F >> more);
    for (int i = 0; i < more; i++) {
      int next = source[at++] & 0xFF;
      if ((next & 0xC0) != 0x80) {
        throw refused(Reason.INVALID_UTF8, "bytes that are not UTF-8", piece);
      }
      point = (point << 6) | (next & 0x3F);
    }
    int least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    boolean surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (point < least || point > 0x10FFFF || surrogate) {
      throw refused(Reason.INVALID_UTF8, "bytes that are not UTF-8", piece);
    }
    return point;
  }

  private void escape(StringBuilder text) throws JsonRefused {
    at++;
    char kind = peek();
    at++;
    switch (kind) {
      case '"', '\\', '/' -> append(text, kind);
      case 'b' -> append(text, '\b');
      case 'f' -> append(text, '\f');
      case 'n' -> append(text, '\n');
      case 'r' -> append(text, '\r');
      case 't' -> append(text, '\t');
      case 'u' -> append(text, hex());
      default -> throw refused(Reason.MALFORMED, "an unknown escape in a string", piece);
    }
  }

  private void append(StringBuilder text, char unit) throws JsonRefused {
    boolean open = endsInHighSurrogate(text);
    if (open != Character.isLowSurrogate(unit)) {
      unpaired(open ? piece - UNICODE_ESCAPE_BYTES : piece);
    }
    if (unit == 0 && dialect == StrictJson.Dialect.INPUT) {
      throw refused(Reason.NUL_CHARACTER, "the character U+0000 is not taken", piece);
    }
    text.append(unit);
  }

  private char hex() throws JsonRefused {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw refused(Reason.MALFORMED, "four hexadecimal digits were expected", piece);
      }
      unit = unit << 4 | digit;
      at++;
    }
    return (char) unit;
  }
}
