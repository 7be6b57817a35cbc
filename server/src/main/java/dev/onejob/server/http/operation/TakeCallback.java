package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.Callbacks;
import dev.onejob.engine.ProviderCallbacks;
import dev.onejob.engine.ProviderCallbacks.Answer;
import dev.onejob.provider.CallbackHead;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.CallbackBody;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.AttemptWriter;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * {@code POST /v1/callbacks/attempts/{id}/{secret}}: a provider says how an attempt ended, in a
 * form of its own or in Onejob's. Needs no API key; the secret is the credential, and is looked at
 * before the body is read, as are the headers of a signature where one is needed besides.
 */
final class TakeCallback implements Handler {
  private final Callbacks callbacks;
  private final ProviderCallbacks ownForm;
  private final InstantSource clock;

  TakeCallback(Callbacks callbacks, ProviderCallbacks ownForm, InstantSource clock) {
    this.callbacks = callbacks;
    this.ownForm = ownForm;
    this.clock = clock;
  }

  @Override
  public void handle(Context ctx) throws IOException, InterruptedException {
    AttemptId id = PathIds.attempt(ctx);
    if (!callbacks.admits(id, ctx.pathParam(CallbackRoute.SECRET))) {
      throw Problem.notFound();
    }
    Optional<String> speaker = ownForm.speaker(id);
    Callbacks.Standing standing =
        speaker.isPresent() ? ownForm(ctx, id, speaker.get()) : ours(ctx, id);
    Answers.ok(
        ctx, AttemptWriter.standing(id, standing.state(), standing.lostTo(), standing.broken()));
  }

  private Callbacks.Standing ours(Context ctx, AttemptId id) throws IOException {
    CallbackBody body = CallbackBody.read(RequestBody.read(ctx.req()));
    return callbacks.take(id, body.outcome()).orElseThrow(Problem::notFound);
  }

  private Callbacks.Standing ownForm(Context ctx, AttemptId id, String speaker)
      throws IOException, InterruptedException {
    CallbackHead head = ProviderMessages.head(ctx);
    Optional<Answer.Refused> refusal = ownForm.refusal(speaker, head, clock.instant());
    if (refusal.isPresent()) {
      throw ProviderMessages.refused(refusal.get());
    }
    Answer answer =
        ownForm
            .atAttempt(id, ProviderMessages.read(ctx, head), clock.instant())
            .orElseThrow(Problem::notFound);
    return switch (answer) {
      case Answer.Taken taken -> taken.standing();
      case Answer.Noted noted -> noted.standing();
      case Answer.Refused refused -> throw ProviderMessages.refused(refused);
      case Answer.Unreadable unreadable -> throw ProviderMessages.unreadable(unreadable);
      case Answer.NotNow notNow -> throw ProviderMessages.notNow(notNow);
      case Answer.Kept k -> throw notAboutAnAttempt(answer);
      case Answer.Repeated r -> throw notAboutAnAttempt(answer);
      case Answer.Looking l -> throw notAboutAnAttempt(answer);
    };
  }

  private static IllegalStateException notAboutAnAttempt(Answer answer) {
    return new IllegalStateException("at the address of an attempt: " + answer);
  }
}
