package dev.onejob.testkit;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * An adapter of which the engine is told less, so that one means is seen to work by itself. It
 * keeps the requests and when questions were put.
 */
final class Observed implements Provider {
  /** What the engine hears of the answers to its questions. */
  enum Hearing {
    ALL,
    NOTHING
  }

  private final Provider provider;
  private final Capabilities capabilities;
  private final Hearing hearing;
  private final List<ProviderRequest> calls = new CopyOnWriteArrayList<>();
  private final List<Long> questions = new CopyOnWriteArrayList<>();

  Observed(Provider provider, Capabilities capabilities, Hearing hearing) {
    this.provider = provider;
    this.capabilities = capabilities;
    this.hearing = hearing;
  }

  List<ProviderRequest> calls() {
    return List.copyOf(calls);
  }

  /** When each question was put, by the monotonic clock, in nanoseconds. */
  List<Long> questions() {
    return List.copyOf(questions);
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    calls.add(request);
    return provider.call(request, watch);
  }

  @Override
  public Finding lookup(Inquiry inquiry) throws InterruptedException {
    questions.add(System.nanoTime());
    return heard(provider.lookup(inquiry));
  }

  @Override
  public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
      throws InterruptedException {
    questions.add(System.nanoTime());
    return heard(provider.replay(request, mayLeave));
  }

  private Finding heard(Finding finding) {
    return switch (hearing) {
      case ALL -> finding;
      case NOTHING -> new Finding.CannotSay(new Failure("unheard", "the test keeps it back"));
    };
  }
}
