package dev.onejob.providers.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code text/event-stream} (WHATWG HTML, 9.2.6) while it comes. An event that is not closed
 * by an empty line when the stream ends was never sent whole, and is none.
 */
final class EventReader {
  private final InputStream in;
  private final Bounds bounds;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
  private long streamBytes;
  private boolean afterReturn;
  private boolean first = true;

  /**
   * How much is read.
   *
   * @param eventBytes of one event
   * @param streamBytes of all of them, and of what is between them
   */
  record Bounds(int eventBytes, long streamBytes) {}

  EventReader(InputStream in, Bounds bounds) {
    this.in = in;
    this.bounds = bounds;
  }

  /** The next event that has data; null at the end of the stream. */
  @Nullable ServerEvent next() throws IOException {
    StringBuilder data = new StringBuilder();
    String name = "";
    for (String text = line(); text != null; text = line()) {
      if (text.isEmpty()) {
        if (!data.isEmpty()) {
          return new ServerEvent(name.isEmpty() ? "message" : name, withoutLastFeed(data));
        }
        name = "";
      } else if (field(text).equals("data")) {
        data.append(value(text)).append('\n');
        if (data.length() > bounds.eventBytes()) {
          throw new TooMuch("an event is larger than " + bounds.eventBytes() + " bytes");
        }
      } else if (field(text).equals("event")) {
        name = value(text);
      }
    }
    return null;
  }

  private static String withoutLastFeed(StringBuilder data) {
    return data.substring(0, data.length() - 1);
  }

  /** The name before the colon; empty for a comment. */
  private static String field(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? text : text.substring(0, colon);
  }

  private static String value(String text) {
    int colon = text.indexOf(':');
    String value = colon < 0 ? "" : text.substring(colon + 1);
    return value.startsWith(" ") ? value.substring(1) : value;
  }

  /** Ended by CR, LF or both; null where the stream ends before that. */
  private @Nullable String line() throws IOException {
    line.reset();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (++streamBytes > bounds.streamBytes()) {
        throw new TooMuch("the stream is longer than " + bounds.streamBytes() + " bytes");
      }
      boolean secondOfPair = afterReturn && b == '\n';
      afterReturn = b == '\r';
      if (b == '\r' || (b == '\n' && !secondOfPair)) {
        return text();
      }
      if (!secondOfPair) {
        line.write(b);
      }
      if (line.size() > bounds.eventBytes()) {
        throw new TooMuch("a line is longer than " + bounds.eventBytes() + " bytes");
      }
    }
    return null;
  }

  private String text() throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      boolean marked = first && text.startsWith("\ufeff");
      first = false;
      return marked ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new UnreadableAnswer("the stream is not UTF-8");
    }
  }
}
