package dev.onejob.server.http.wire;

/** Answers to callbacks of providers as a whole. */
public final class CallbackWriter {
  private CallbackWriter() {}

  /** What came of one, in a word. */
  public static byte[] heard(String word) {
    return JsonOut.object(out -> out.text("heard", word));
  }
}
