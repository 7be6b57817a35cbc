package dev.onejob.provider;

import java.util.Map;
import java.util.Optional;

/**
 * What was sent to a callback address, as it came.
 *
 * @param headers as those of {@link CallbackHead}
 * @param body the raw bytes, which a signature is about; not copied, not to be changed
 */
public record CallbackMessage(Map<String, String> headers, byte[] body) {
  /** The message without its body. */
  public CallbackHead head() {
    return new CallbackHead(headers);
  }

  /** A header by its name, in any case. */
  public Optional<String> header(String name) {
    return head().header(name);
  }
}
