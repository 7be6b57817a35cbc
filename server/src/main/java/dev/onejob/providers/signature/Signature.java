package dev.onejob.providers.signature;

import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One way in which callbacks are signed. Safe for many threads. */
public interface Signature {
  /** How far the provider's clock may be from ours, by usual agreement. */
  Duration USUAL_TOLERANCE = Duration.ofMinutes(5);

  /**
   * What the head alone shows to be missing or out of its time; empty: the body is needed to tell.
   *
   * @param now by the node's clock
   */
  Optional<Sender.Refused> refusal(CallbackHead head, Instant now);

  /**
   * Whether the provider has signed the message, and lately.
   *
   * @param now by the node's clock
   * @throws InterruptedException if nobody waits for the answer any more
   */
  Sender of(CallbackMessage message, Instant now) throws InterruptedException;
}
