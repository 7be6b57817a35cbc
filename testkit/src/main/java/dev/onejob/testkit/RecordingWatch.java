package dev.onejob.testkit;

import dev.onejob.provider.CallWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps what an adapter tells during a call, and can ask it to stop. */
public final class RecordingWatch implements CallWatch {
  private final AtomicInteger handOvers = new AtomicInteger();
  private final List<Optional<String>> acceptances = new CopyOnWriteArrayList<>();
  private final List<String> models = new CopyOnWriteArrayList<>();
  private final @Nullable String traceparent;
  private @Nullable Runnable action;
  private boolean stopAsked;

  /** A watch of a call that is not traced. */
  public RecordingWatch() {
    this(null);
  }

  /**
   * A watch of a call.
   *
   * @param traceparent the trace context of the call; null: it is not traced
   */
  public RecordingWatch(@Nullable String traceparent) {
    this.traceparent = traceparent;
  }

  @Override
  public Optional<String> traceparent() {
    return Optional.ofNullable(traceparent);
  }

  @Override
  public void handedOver() {
    handOvers.incrementAndGet();
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    acceptances.add(Optional.ofNullable(providerRef));
  }

  @Override
  public void answeredBy(String model) {
    models.add(model);
  }

  @Override
  public void onStop(Runnable stop) {
    if (registered(stop)) {
      stop.run();
    }
  }

  private synchronized boolean registered(Runnable stop) {
    if (action != null) {
      throw new IllegalStateException("a second stop action");
    }
    action = stop;
    return stopAsked;
  }

  @Override
  public synchronized boolean stopAsked() {
    return stopAsked;
  }

  /** Asks for a stop, as the engine does. */
  public void stop() {
    Runnable registered = asked();
    if (registered != null) {
      registered.run();
    }
  }

  private synchronized @Nullable Runnable asked() {
    stopAsked = true;
    return action;
  }

  /** How often it was said that the request was handed over. */
  public int handOvers() {
    return handOvers.get();
  }

  /** The models that were named. */
  public List<String> models() {
    return List.copyOf(models);
  }

  /** The provider's ids of each acceptance that was told. */
  public List<Optional<String>> acceptances() {
    return List.copyOf(acceptances);
  }
}
