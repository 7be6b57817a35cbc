package dev.onejob.providers.sandbox;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Repetition;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Unstoppable;
import dev.onejob.providers.http.Unwatched;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Calls a sandbox, as carefully as if it were a stranger. */
final class SandboxProvider implements Provider {
  private final String plays;
  private final Supplier<URI> address;
  private final Capabilities capabilities;

  SandboxProvider(String plays, Supplier<URI> address, Capabilities capabilities) {
    this.plays = plays;
    this.address = address;
    this.capabilities = capabilities;
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
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

  @Override
  public Finding lookup(Inquiry inquiry) throws InterruptedException {
    if (capabilities.statusProbe() == StatusProbe.NONE) {
      return Provider.super.lookup(inquiry);
    }
    ObjectNode question = JsonNodeFactory.instance.objectNode();
    if (capabilities.statusProbe() == StatusProbe.BY_PROVIDER_ID) {
      question.put("ref", inquiry.providerRef());
    } else {
      question.put("key", inquiry.providerKey());
      question.put("final", capabilities.negativeAnswer() == NegativeAnswer.FINAL);
    }
    Post post = new Post(to("/status"), Map.of(), BoundedJson.bytes(question));
    return SandboxFinding.of(OnePost.send(post, inquiry.timeout(), Unwatched.QUESTION, head -> {}));
  }

  @Override
  public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
      throws InterruptedException {
    if (capabilities.submitDeduplication() == SubmitDeduplication.NONE) {
      return Provider.super.replay(request, mayLeave); // it would act again
    }
    return SandboxFinding.of(
        OnePost.send(post(request), request.timeout(), new Repetition(mayLeave), head -> {}));
  }

  private Post post(ProviderRequest request) {
    Map<String, String> headers = new HashMap<>();
    headers.put(SandboxHeaders.JOB, request.jobId().toString());
    headers.put(SandboxHeaders.ATTEMPT, request.attemptId().toString());
    headers.put(SandboxHeaders.NUMBER, Integer.toString(request.number()));
    headers.put(SandboxHeaders.PROVIDER_KEY, request.providerKey());
    if (request.callback() != null) {
      headers.put(SandboxHeaders.CALLBACK, request.callback().toString());
    }
    if (capabilities.submitDeduplication() != SubmitDeduplication.NONE) {
      headers.put(SandboxHeaders.KEEP, SandboxHeaders.KEEP_ACT_ONCE);
    } else if (capabilities.statusProbe() != StatusProbe.NONE) {
      headers.put(SandboxHeaders.KEEP, SandboxHeaders.KEEP_FOR_QUESTIONS);
    }
    return new Post(to("/calls"), headers, request.input());
  }

  private URI to(String path) {
    return URI.create(address.get() + "/" + plays + path);
  }

  private static void accepted(Head head, CallWatch watch) {
    if (head.field(SandboxHeaders.ACCEPTED).isPresent()) {
      watch.accepted(head.field(SandboxHeaders.REF).orElse(null));
    }
  }
}
