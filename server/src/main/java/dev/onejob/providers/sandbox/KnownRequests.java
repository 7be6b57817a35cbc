package dev.onejob.providers.sandbox;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.sandbox.SandboxLedger.Arrival;
import dev.onejob.providers.sandbox.SandboxMemory.Binding;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a sandbox answers because it remembers: to a request whose key it knows, and to questions.
 */
final class KnownRequests {
  private static final int GONE = 410;
  private static final int UNPROCESSABLE = 422;

  private final SandboxMemory memory;

  KnownRequests(SandboxMemory memory) {
    this.memory = memory;
  }

  /**
   * What becomes of a request.
   *
   * @param ref the id of the request that is answered for
   */
  record Reply(SandboxAnswer answer, long ref) {}

  /**
   * Keeps a request that has just arrived. Empty: it is to be performed. Else it has its answer,
   * for its key is closed, or bound to an earlier request and the provider acts once for a key.
   */
  Optional<Reply> arrived(Arrival arrival, Request request) {
    return switch (memory.keep(arrival, request.provider(), request.key(), request.input())) {
      case Binding.Own own -> Optional.empty();
      case Binding.Closed closed ->
          Optional.of(
              new Reply(refusal(GONE, "key-closed", "was said to be unknown"), arrival.id()));
      case Binding.Earlier earlier ->
          request.actsOnceForKey() ? again(arrival, request, earlier.call()) : Optional.empty();
    };
  }

  /** A request to a provider that remembers. */
  record Request(String provider, String key, byte[] input, boolean actsOnceForKey) {}

  private Optional<Reply> again(Arrival arrival, Request request, long earlier) {
    Remembered first = memory.bound(earlier);
    if (!Arrays.equals(first.input(), request.input())) {
      return Optional.of(
          new Reply(
              refusal(UNPROCESSABLE, "key-reused", "is bound to another body"), arrival.id()));
    }
    Word truth = first.truth();
    boolean free =
        truth instanceof Word.NotFound
            && memory.rebind(request.provider(), request.key(), earlier, arrival.id());
    return free ? Optional.empty() : Optional.of(reply(first, truth));
  }

  private static Reply reply(Remembered about, Word word) {
    return new Reply(
        SandboxAnswer.of(
            word,
            SandboxAnswer.unscripted(about.provider(), about.job(), about.attempt(), about.turn())),
        about.id());
  }

  /** Bare: the provider vouches for nothing about the request that the key belongs to. */
  private static SandboxAnswer refusal(int status, String code, String what) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.putObject("error").put("code", code).put("message", "the key " + what);
    return new SandboxAnswer(status, Map.of(), BoundedJson.bytes(document));
  }

  /**
   * Somebody asks.
   *
   * @param closes whether a key of which nothing is known is closed by the question
   * @return empty: silence
   */
  Optional<Reply> askedByKey(String provider, String key, boolean closes) {
    Optional<Remembered> found = memory.askedByKey(provider, key);
    if (found.isEmpty() && closes) {
      memory.close(provider, key);
      found = memory.askedByKey(provider, key); // it may just have arrived
    }
    Optional<Reply> reply = asked(found);
    if (closes && found.isPresent() && reply.isPresent() && reply.get().answer().isNotFound()) {
      memory.close(provider, key, found.get().id());
    }
    return reply;
  }

  Optional<Reply> askedById(String provider, long id) {
    return asked(memory.askedById(provider, id));
  }

  private static Optional<Reply> asked(Optional<Remembered> found) {
    if (found.isEmpty()) {
      return Optional.of(new Reply(SandboxAnswer.NOT_FOUND, 0));
    }
    Word word = found.get().told();
    return word instanceof Word.Silence ? Optional.empty() : Optional.of(reply(found.get(), word));
  }
}
