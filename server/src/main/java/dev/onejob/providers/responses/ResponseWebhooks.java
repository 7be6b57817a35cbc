package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Finding;
import dev.onejob.providers.signature.StandardWebhooks;
import java.time.Instant;
import java.util.Optional;

/**
 * Takes OpenAI's events in, which are signed as Standard Webhooks are. Not one of them is an end:
 * what has ended, and how, is looked up.
 */
final class ResponseWebhooks implements CallbackReader {
  private final StandardWebhooks signature;

  ResponseWebhooks(StandardWebhooks signature) {
    this.signature = signature;
  }

  @Override
  public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
    return signature.refusal(head, now);
  }

  @Override
  public Sender sender(CallbackMessage message, Instant now) {
    return signature.of(message, now);
  }

  /** The signed headers name the event: the name in the body is not needed. */
  @Override
  public Content read(byte[] body) {
    Optional<String> id = WebhookEvent.endedResponse(body);
    if (id.isEmpty()) {
      return new Content.Unreadable("it is no event about a response that has ended");
    }
    Failure toBeSeen = new Failure("event", id.get() + " is said to have ended; how, is looked up");
    return new Content.Says(null, null, id.get(), new Finding.CannotSay(toBeSeen));
  }
}
