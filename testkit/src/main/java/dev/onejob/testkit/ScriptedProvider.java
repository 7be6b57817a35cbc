package dev.onejob.testkit;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider in the hands of the test: every call waits until the test answers it.
 *
 * <p>Safe for many threads. Calls are kept in the order in which they arrived.
 */
public final class ScriptedProvider implements Provider {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final LinkedBlockingQueue<Call> arrivals = new LinkedBlockingQueue<>();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Finding> findings = new LinkedBlockingQueue<>();
  private final List<Inquiry> lookups = new CopyOnWriteArrayList<>();
  private final List<ProviderRequest> replays = new CopyOnWriteArrayList<>();
  private final List<BooleanSupplier> permissions = new CopyOnWriteArrayList<>();
  private final Capabilities capabilities;
  private volatile @Nullable Outcome standing;
  private volatile @Nullable Finding found;

  /** One of which nothing is promised. */
  public ScriptedProvider() {
    this(Capabilities.NONE);
  }

  /** One that can be asked about its calls, as the capabilities say. */
  public ScriptedProvider(Capabilities capabilities) {
    this.capabilities = capabilities;
  }

  /** A call that has arrived. */
  public static final class Call {
    private final ProviderRequest request;
    private final CallWatch watch;
    private final CompletableFuture<Outcome> answer = new CompletableFuture<>();
    private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();

    private Call(ProviderRequest request, CallWatch watch) {
      this.request = request;
      this.watch = watch;
    }

    /** What was asked. */
    public ProviderRequest request() {
      return request;
    }

    /** Acknowledges the work, as an asynchronous provider does. */
    public void accept(String providerRef) {
      watch.accepted(providerRef);
    }

    /** Names the model that answers. */
    public void nameModel(String model) {
      watch.answeredBy(model);
    }

    /** Answers the call; the first answer counts. */
    public void answer(Outcome outcome) {
      answer.complete(outcome);
    }

    /** Makes the adapter throw. */
    public void fail(RuntimeException failure) {
      answer.completeExceptionally(failure);
    }

    /** Answers with a JSON result. */
    public void succeed(String json) {
      answer(succeeded(json));
    }

    /** Completes when the engine has asked to stop. */
    public CompletableFuture<Boolean> stopAsked() {
      return stopped;
    }
  }

  /** A success with a JSON result. */
  public static Outcome succeeded(String json) {
    return new Outcome.Succeeded(
        new Result(Result.Format.JSON, json.getBytes(StandardCharsets.UTF_8)), null);
  }

  /** A refusal that may be tried again. */
  public static Outcome busy(@Nullable Duration retryAfter) {
    return new Outcome.Refused(
        new Failure("busy", "come back later"), Retryability.RETRYABLE, retryAfter);
  }

  /** A refusal for good. */
  public static Outcome refused() {
    return new Outcome.Refused(new Failure("refused", "not this"), Retryability.FINAL, null);
  }

  /** From now on every call is answered at once, the same way; null: by the test again. */
  public ScriptedProvider always(@Nullable Outcome outcome) {
    standing = outcome;
    return this;
  }

  /** The next call that arrives and has not been taken. */
  public Call next() {
    try {
      Call call = arrivals.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (call == null) {
        throw new AssertionError("no call arrived within " + PATIENCE);
      }
      return call;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** All calls that have arrived. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The answers to the next questions, in their order; then what {@link #found} says. */
  public ScriptedProvider finds(Finding... answers) {
    findings.addAll(List.of(answers));
    return this;
  }

  /** From now on every further question is answered so; null: the adapter throws. */
  public ScriptedProvider found(@Nullable Finding finding) {
    found = finding;
    return this;
  }

  /** The look-ups so far. */
  public List<Inquiry> lookups() {
    return List.copyOf(lookups);
  }

  /** The replays so far. */
  public List<ProviderRequest> replays() {
    return List.copyOf(replays);
  }

  /** Whether each of the replays might still leave, if it were asked now. */
  public List<Boolean> mayStillLeave() {
    return permissions.stream().map(BooleanSupplier::getAsBoolean).toList();
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public Finding lookup(Inquiry inquiry) {
    lookups.add(inquiry);
    return finding();
  }

  @Override
  public Finding replay(ProviderRequest request, BooleanSupplier mayLeave) {
    permissions.add(mayLeave);
    replays.add(request);
    return finding();
  }

  private Finding finding() {
    Finding next = findings.poll();
    Finding answer = next == null ? found : next;
    if (answer == null) {
      throw new IllegalStateException("a question that the test has no answer for");
    }
    return answer;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    Call call = new Call(request, watch);
    watch.onStop(() -> call.stopped.complete(true));
    watch.handedOver();
    Outcome always = standing; // before the test hears of it and changes that
    calls.add(call);
    arrivals.add(call);
    if (always != null) {
      return always;
    }
    try {
      return call.answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
