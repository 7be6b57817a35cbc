package dev.onejob.providers.sandbox;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Calls a sandbox, as carefully as if it were a stranger. */
final class SandboxProvider implements Provider {
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.SubmitDeduplication.NONE,
          Capabilities.ReferenceSurvival.NONE,
          Capabilities.StatusProbe.NONE,
          Capabilities.NegativeAnswer.MAY_COME_LATER,
          Capabilities.Cancel.NONE,
          Capabilities.TerminalState.STABLE,
          Capabilities.HiddenReexecution.NONE,
          Capabilities.BillingOnCancel.FULL,
          null,
          null);

  private final String plays;
  private final Supplier<URI> address;

  SandboxProvider(String plays, Supplier<URI> address) {
    this.plays = plays;
    this.address = address;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    Duration patience = request.timeout().plus(request.lateAnswerLimit());
    if (watch.stopAsked()) {
      return new Outcome.Stopped("stopped before the request left");
    }
    Reply reply =
        OnePost.send(
            post(request), patience, new Unstoppable(watch), head -> accepted(head, watch));
    return switch (reply) {
      case Reply.NotSent notSent -> notSent.outcome();
      case Reply.NoAnswer none -> new Outcome.InDoubt(none.why());
      case Reply.TooLarge large -> SandboxReading.tooLarge(large.head());
      case Reply.Answer answer -> SandboxReading.of(answer.head(), answer.body());
    };
  }

  private Post post(ProviderRequest request) {
    Map<String, String> headers =
        Map.of(
            SandboxHeaders.JOB, request.jobId().toString(),
            SandboxHeaders.ATTEMPT, request.attemptId().toString(),
            SandboxHeaders.NUMBER, Integer.toString(request.number()),
            SandboxHeaders.PROVIDER_KEY, request.providerKey());
    return new Post(URI.create(address.get() + "/" + plays + "/calls"), headers, request.input());
  }

  private static void accepted(Head head, CallWatch watch) {
    if (head.field(SandboxHeaders.ACCEPTED).isPresent()) {
      watch.accepted(head.field(SandboxHeaders.REF).orElse(null));
    }
  }
}
