package dev.onejob.provider;

import dev.onejob.domain.AttemptId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the callbacks of a provider are read, where it speaks a form of its own. Implementations are
 * safe for use by many threads, and change nothing.
 */
public interface CallbackReader {
  /**
   * Why nothing with this head is taken as the provider's, whatever its body is: so that a stranger
   * is turned away before anything more is read. Empty: the body is needed to tell. Whatever is
   * refused here is refused by {@link #sender} too.
   *
   * @param now by the node's clock
   */
  Optional<Sender.Refused> refusal(CallbackHead head, Instant now);

  /**
   * Whether it is the provider that speaks. Compares in constant time, over the raw bytes, and
   * allows for clocks that differ by a window on both sides.
   *
   * @param now by the node's clock
   * @throws InterruptedException if nobody waits for the answer any more
   */
  Sender sender(CallbackMessage message, Instant now) throws InterruptedException;

  /** What a body says, whoever has sent it. Never throws for what it holds. */
  Content read(byte[] body);

  /** Who speaks. */
  sealed interface Sender {
    /**
     * The provider, by its signature.
     *
     * @param eventId of this event and its repetitions, if the signed headers name one
     */
    record Proved(@Nullable String eventId) implements Sender {}

    /** Anybody: this provider signs nothing, or it is not configured how. */
    record Unproved() implements Sender {}

    /**
     * Not the provider, or not now: the signature is missing, does not fit or is too old.
     *
     * @param why fit for an answer; names no secret
     */
    record Refused(String why) implements Sender {}

    /** It could not be found out: the provider is to send it again. */
    record Unchecked(String why) implements Sender {}
  }

  /** What is said. */
  sealed interface Content {
    /**
     * Something about one piece of work.
     *
     * @param eventId of this event and its repetitions, if the body names one
     * @param attempt that the work was done for, if the body names it
     * @param providerRef the provider's own id of the work, if the body names it
     * @param finding what became of the work; {@link Finding.CannotSay} is a reason to look
     */
    record Says(
        @Nullable String eventId,
        @Nullable AttemptId attempt,
        @Nullable String providerRef,
        Finding finding)
        implements Content {}

    /** It is not in the form of this provider. */
    record Unreadable(String why) implements Content {}
  }
}
