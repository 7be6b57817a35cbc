package dev.onejob.server.qualification;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Twisting;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Asks one question of a qualification, through the very adapter that production uses. What comes
 * is the result, whether it is good or bad; a passing refusal and a doubt stay what they are, so
 * that they are tried again or end as any other.
 */
final class ProbedProvider implements Provider {
  private static final Capabilities CAPABILITIES = Capabilities.NONE;

  private final Map<String, Probed> providers;

  /** By their names. */
  ProbedProvider(Map<String, Probed> providers) {
    this.providers = Map.copyOf(providers);
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    if (!request.owner().equals(Probes.OWNER)) {
      return refused("not-a-probe", "this kind is for qualifications alone");
    }
    try {
      ProbeInput input = ProbeInput.of(BoundedJson.read(request.input()));
      Probed provider = providers.get(input.provider());
      return provider == null || !provider.settingsHash().equals(input.settings())
          ? elsewhere(input)
          : ask(provider, input, request, watch);
    } catch (JacksonException | IllegalArgumentException e) {
      return refused("not-a-probe", String.valueOf(e.getMessage()));
    }
  }

  private static Outcome ask(
      Probed provider, ProbeInput input, ProviderRequest request, CallWatch watch)
      throws InterruptedException {
    Duration timeout = input.isPlayed() ? Probes.PLAY_TIMEOUT : provider.timeout(input.kind());
    ProviderRequest asked =
        new ProviderRequest(
            request.jobId(),
            request.attemptId(),
            request.number(),
            request.owner(),
            input.kind(),
            request.providerKey(),
            input.input(),
            timeout,
            Duration.ZERO);
    if (input.isRendering()) {
      return rendered(provider, input, asked);
    }
    ListeningWatch listening = new ListeningWatch(watch);
    Outcome outcome = provider.call(input, asked, listening);
    return input.isOfFailure() || isDefinite(outcome)
        ? observed(listening.observation(outcome), cost(outcome))
        : outcome;
  }

  /** A server that gives no answer is asked again: it may show it, and then it is looked at. */
  private static Outcome rendered(Probed provider, ProbeInput input, ProviderRequest asked)
      throws InterruptedException {
    try {
      return observed(provider.rendering(input, asked), null);
    } catch (Twisting.NotShownNow e) {
      Failure failure = new Failure("prompt-not-shown", String.valueOf(e.getMessage()));
      return new Outcome.Refused(failure, Retryability.RETRYABLE, null);
    }
  }

  private static boolean isDefinite(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded done -> true;
      case Outcome.Failed failed -> true;
      case Outcome.Refused refused -> refused.retryability() == Retryability.FINAL;
      case Outcome.InDoubt doubt -> false;
      case Outcome.Stopped stopped -> false;
    };
  }

  private static @Nullable String cost(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded done ? done.cost() : null;
  }

  private static Outcome observed(Observation observation, @Nullable String cost) {
    JsonNode json = observation.toJson();
    return new Outcome.Succeeded(new Result(Result.Format.JSON, BoundedJson.bytes(json)), cost);
  }

  /** Another node may have it: the question is about these settings and no others. */
  private static Outcome elsewhere(ProbeInput input) {
    String message = "this node has no provider " + input.provider() + " with these settings";
    return new Outcome.Refused(
        new Failure("provider-differs", message), Retryability.RETRYABLE, null);
  }

  private static Outcome refused(String code, String message) {
    return new Outcome.Refused(new Failure(code, message), Retryability.FINAL, null);
  }

  /** An attempt that left no result: what the record says of it. */
  static Observation without(Ending ending, @Nullable Failure failure) {
    return new Observation(
        ending,
        failure == null ? null : failure.code(),
        failure == null ? null : failure.message(),
        null,
        null,
        null);
  }
}
