package dev.onejob.server.ui.page;

import java.util.Map;

/**
 * A file that a page gives away. It is there whole before its first byte is sent, so whoever gets
 * it with status 200 and to its length has all of it.
 */
public final class Download implements AutoCloseable {
  private final String name;
  private final String mediaType;
  private final byte[] bytes;
  private final Map<String, String> headers;
  private final Runnable over;

  /**
   * Makes one.
   *
   * @param name of letters, digits, dots, dashes and underscores
   * @param bytes are not copied
   * @param headers besides those that every file has
   * @param over is run once, when the file was sent or could not be
   */
  public Download(
      String name, String mediaType, byte[] bytes, Map<String, String> headers, Runnable over) {
    this.name = name;
    this.mediaType = mediaType;
    this.bytes = bytes;
    this.headers = Map.copyOf(headers);
    this.over = over;
  }

  /**
   * Text, to the byte: browsers neither show it as a page nor guess what it is.
   *
   * @param name of letters, digits, dots, dashes and underscores
   */
  public static Download text(String name, byte[] bytes) {
    return new Download(name, "text/plain; charset=utf-8", bytes, Map.of(), () -> {});
  }

  String name() {
    return name;
  }

  String mediaType() {
    return mediaType;
  }

  byte[] bytes() {
    return bytes;
  }

  Map<String, String> headers() {
    return headers;
  }

  @Override
  public void close() {
    over.run();
  }
}
