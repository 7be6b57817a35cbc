package dev.onejob.providers.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads an answer of HTTP/1.1 (RFC 9112), strictly: an answer that could be read in two ways is
 * none.
 */
final class AnswerReader {
  private static final int HEAD_BYTES_MAX = 64 << 10;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})( .*)?");
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})[ \t]*(;.*)?");

  private final InputStream in;
  private int headBytes;
  private boolean chunksBegun;

  AnswerReader(InputStream in) {
    this.in = in;
  }

  /** The head of the final answer; interim ones (1xx) are passed over. */
  Head head() throws IOException {
    Head head = anyHead();
    while (head.status() < 200) {
      head = anyHead();
    }
    return head;
  }

  private Head anyHead() throws IOException {
    Matcher status = STATUS.matcher(line());
    if (!status.matches()) {
      throw new UnreadableAnswer("the answer does not begin like HTTP/1.1");
    }
    return new Head(Integer.parseInt(status.group(1)), fields());
  }

  private Map<String, String> fields() throws IOException {
    Map<String, String> fields = new HashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      Matcher field = FIELD.matcher(line);
      if (!field.matches()) {
        throw new UnreadableAnswer("a header of the answer is malformed");
      }
      String name = field.group(1).toLowerCase(Locale.ROOT);
      fields.merge(name, field.group(2).strip(), (a, b) -> a + ", " + b);
    }
    return Map.copyOf(fields);
  }

  /** The body; empty if it is larger than the limit. */
  Optional<byte[]> body(Head head, int bytesMax) throws IOException {
    try {
      byte[] body = stream(head, bytesMax).readNBytes(bytesMax + 1);
      return body.length > bytesMax ? Optional.empty() : Optional.of(body);
    } catch (TooMuch e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> length(Head head) throws IOException {
    Optional<String> length = head.field("Content-Length");
    if (length.isPresent() && !LENGTH.matcher(length.get()).matches()) {
      throw new UnreadableAnswer("the answer's length is malformed");
    }
    return length.map(Long::valueOf);
  }

  /**
   * The body while it comes. Its end is told only where the answer is whole; where it breaks off,
   * an {@link EOFException} is thrown instead, as far as an answer of its framing can show that.
   *
   * @param bytesMax a body that announces more ends with {@link TooMuch}
   */
  InputStream stream(Head head, long bytesMax) throws IOException {
    if (head.status() == 204 || head.status() == 304) {
      return InputStream.nullInputStream();
    }
    String encoding = head.field("Content-Encoding").orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new UnreadableAnswer("the answer has an encoding that was not asked for");
    }
    Optional<String> transfer = head.field("Transfer-Encoding");
    if (transfer.isPresent()) {
      if (!transfer.get().equalsIgnoreCase("chunked")) {
        throw new UnreadableAnswer("the answer has a transfer encoding that was not asked for");
      }
      return new Framed(this::nextChunk, bytesMax);
    }
    Optional<Long> length = length(head);
    return length.isPresent() ? counted(length.get(), bytesMax) : in;
  }

  private InputStream counted(long length, long bytesMax) {
    long[] left = {length};
    return new Framed(
        () -> {
          long all = left[0];
          left[0] = 0;
          return all;
        },
        bytesMax);
  }

  /** How long the next chunk is; 0 after the last, whose trailers have been read then. */
  private long nextChunk() throws IOException {
    if (chunksBegun && !line().isEmpty()) {
      throw new UnreadableAnswer("a chunk of the answer is longer than it says");
    }
    chunksBegun = true;
    headBytes = 0;
    Matcher chunk = CHUNK.matcher(line());
    if (!chunk.matches()) {
      throw new UnreadableAnswer("a chunk size of the answer is malformed");
    }
    long size = Long.parseLong(chunk.group(1), 16);
    if (size == 0) {
      fields(); // trailers: read, because the answer is whole only with them
    }
    return size;
  }

  /** How long the next piece of a body is; 0: there is none. */
  private interface Pieces {
    long next() throws IOException;
  }

  /** A body that says how long it is, in pieces. */
  private final class Framed extends InputStream {
    private final Pieces pieces;
    private long allowed;
    private long left;
    private boolean over;

    private Framed(Pieces pieces, long bytesMax) {
      this.pieces = pieces;
      this.allowed = bytesMax;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      if (left == 0 && !over) {
        left = pieces.next();
        over = left == 0;
        if (left > allowed) {
          throw new TooMuch("the answer announces " + left + " bytes more than are read");
        }
        allowed -= left;
      }
      if (over) {
        return -1;
      }
      int count = in.read(to, offset, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException("the answer broke off " + left + " bytes before its end");
      }
      left -= count;
      return count;
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection was closed before a whole answer came");
      }
      if (++headBytes > HEAD_BYTES_MAX) {
        throw new UnreadableAnswer("the answer's head is too large");
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
