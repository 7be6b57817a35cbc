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
  private static final int BLOCK_BYTES = 16 << 10;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})( .*)?");
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,15})[ \t]*(;.*)?");

  private final InputStream in;
  private int headBytes;

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
    if (head.status() == 204 || head.status() == 304) {
      return Optional.of(new byte[0]);
    }
    refuseEncoding(head);
    Optional<String> transfer = head.field("Transfer-Encoding");
    if (transfer.isPresent()) {
      return chunked(transfer.get(), bytesMax);
    }
    Optional<String> length = head.field("Content-Length");
    return length.isPresent() ? counted(length.get(), bytesMax) : untilTheEnd(bytesMax);
  }

  private static void refuseEncoding(Head head) throws IOException {
    String encoding = head.field("Content-Encoding").orElse("identity");
    if (!encoding.equalsIgnoreCase("identity")) {
      throw new UnreadableAnswer("the answer has an encoding that was not asked for");
    }
  }

  private Optional<byte[]> counted(String length, int bytesMax) throws IOException {
    if (!LENGTH.matcher(length).matches()) {
      throw new UnreadableAnswer("the answer's length is malformed");
    }
    long bytes = Long.parseLong(length);
    return bytes > bytesMax ? Optional.empty() : Optional.of(exactly((int) bytes));
  }

  private Optional<byte[]> untilTheEnd(int bytesMax) throws IOException {
    byte[] body = in.readNBytes(bytesMax + 1);
    return body.length > bytesMax ? Optional.empty() : Optional.of(body);
  }

  private Optional<byte[]> chunked(String transfer, int bytesMax) throws IOException {
    if (!transfer.equalsIgnoreCase("chunked")) {
      throw new UnreadableAnswer("the answer has a transfer encoding that was not asked for");
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream(BLOCK_BYTES);
    for (long size = chunkSize(); size > 0; size = chunkSize()) {
      if (body.size() + size > bytesMax) {
        return Optional.empty();
      }
      body.writeBytes(exactly((int) size));
      if (!line().isEmpty()) {
        throw new UnreadableAnswer("a chunk of the answer is longer than it says");
      }
    }
    fields(); // trailers: read, because the answer is whole only with them
    return Optional.of(body.toByteArray());
  }

  private long chunkSize() throws IOException {
    headBytes = 0;
    Matcher chunk = CHUNK.matcher(line());
    if (!chunk.matches()) {
      throw new UnreadableAnswer("a chunk size of the answer is malformed");
    }
    return Long.parseLong(chunk.group(1), 16);
  }

  private byte[] exactly(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the answer broke off after " + bytes.length + " of " + count);
    }
    return bytes;
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
