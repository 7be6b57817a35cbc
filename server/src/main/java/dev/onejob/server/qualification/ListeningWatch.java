package dev.onejob.server.qualification;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Said;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The engine's watch, and an ear for what the model says. Of one call, on one thread. */
final class ListeningWatch implements CallWatch {
  private final CallWatch engine;
  private @Nullable Said heard;

  ListeningWatch(CallWatch engine) {
    this.engine = engine;
  }

  @Override
  public boolean mayLeave() {
    return engine.mayLeave();
  }

  @Override
  public void handedOver() {
    engine.handedOver();
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    engine.accepted(providerRef);
  }

  @Override
  public void onStop(Runnable stop) {
    engine.onStop(stop);
  }

  @Override
  public boolean stopAsked() {
    return engine.stopAsked();
  }

  @Override
  public Optional<String> traceparent() {
    return engine.traceparent();
  }

  @Override
  public void said(Supplier<Optional<Said>> words) {
    heard = words.get().orElse(null);
  }

  /** What came of the call. */
  Observation observation(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded done ->
          of(Ending.SUCCEEDED, null, new String(done.result().bytes(), StandardCharsets.UTF_8));
      case Outcome.Failed failed -> of(Ending.FAILED, failed.failure(), null);
      case Outcome.Refused refused ->
          of(
              refused.retryability() == Retryability.FINAL
                  ? Ending.REFUSED
                  : Ending.REFUSED_FOR_NOW,
              refused.failure(),
              null);
      case Outcome.InDoubt doubt -> of(Ending.IN_DOUBT, doubt.reason(), null);
      case Outcome.Stopped stopped ->
          of(Ending.STOPPED, new Failure("stopped", stopped.message()), null);
    };
  }

  private Observation of(Ending ending, @Nullable Failure failure, @Nullable String result) {
    Observation bare = ProbedProvider.without(ending, failure);
    return new Observation(ending, bare.code(), bare.message(), result, words(heard), null);
  }

  private static Observation.@Nullable Said words(@Nullable Said said) {
    return said == null
        ? null
        : new Observation.Said(
            said.text(),
            said.finish(),
            said.model(),
            said.fingerprint(),
            said.refusal(),
            said.usage());
  }
}
