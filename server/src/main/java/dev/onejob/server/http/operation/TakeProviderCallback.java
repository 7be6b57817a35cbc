package dev.onejob.server.http.operation;

import dev.onejob.engine.ProviderCallbacks;
import dev.onejob.engine.ProviderCallbacks.Answer;
import dev.onejob.provider.CallbackHead;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.wire.CallbackWriter;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * {@code POST /v1/callbacks/{provider}}: a provider says something in a form of its own, at one
 * address for all its work. Needs no API key; its signature is the credential. What the headers
 * alone show not to be the provider's is turned away unread.
 */
final class TakeProviderCallback implements Handler {
  /** Anybody may knock here: what is read for strangers leaves the room to callers with keys. */
  private static final int READING_MAX = 16;

  private final ProviderCallbacks callbacks;
  private final InstantSource clock;
  private final Semaphore reading = new Semaphore(READING_MAX);

  TakeProviderCallback(ProviderCallbacks callbacks, InstantSource clock) {
    this.callbacks = callbacks;
    this.clock = clock;
  }

  @Override
  public void handle(Context ctx) throws IOException, InterruptedException {
    String provider = ctx.pathParam(CallbackRoute.PROVIDER);
    if (!callbacks.knows(provider)) {
      throw Problem.notFound();
    }
    CallbackHead head = ProviderMessages.head(ctx);
    Optional<Answer.Refused> refusal = callbacks.refusal(provider, head, clock.instant());
    if (refusal.isPresent()) {
      throw ProviderMessages.refused(refusal.get());
    }
    if (!reading.tryAcquire()) {
      throw ProviderMessages.notNow(new Answer.NotNow("many callbacks are being read already"));
    }
    try {
      Answer answer =
          callbacks
              .atProvider(provider, ProviderMessages.read(ctx, head), clock.instant())
              .orElseThrow(Problem::notFound);
      Answers.ok(ctx, CallbackWriter.heard(word(answer)));
    } finally {
      reading.release();
    }
  }

  /** What a provider is told: nothing of any job. */
  private static String word(Answer answer) {
    return switch (answer) {
      case Answer.Taken t -> "taken";
      case Answer.Noted n -> "noted";
      case Answer.Kept k -> "kept";
      case Answer.Repeated r -> "repeated";
      case Answer.Looking l -> "looking";
      case Answer.Refused refused -> throw ProviderMessages.refused(refused);
      case Answer.Unreadable unreadable -> throw ProviderMessages.unreadable(unreadable);
      case Answer.NotNow notNow -> throw ProviderMessages.notNow(notNow);
    };
  }
}
