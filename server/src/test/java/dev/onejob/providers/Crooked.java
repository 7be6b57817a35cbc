package dev.onejob.providers;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Adapters that work, made to break one rule each. */
final class Crooked {
  private Crooked() {}

  /** The far side of a good adapter, with that adapter made crooked. */
  record Bent(FarSide straight, UnaryOperator<Provider> bend) implements FarSide {
    @Override
    public Provider provider() {
      return bend.apply(straight.provider());
    }

    @Override
    public Optional<byte[]> input(Fate fate) {
      return straight.input(fate);
    }

    @Override
    public Tally tally() {
      return straight.tally();
    }

    @Override
    public void release() {
      straight.release();
    }

    @Override
    public void pass(Duration time) {
      // It makes no difference to what claims a bound that it does not have.
    }

    @Override
    public List<URI> callbacks() {
      return straight.callbacks();
    }

    @Override
    public void close() throws IOException {
      straight.close();
    }
  }

  /** A good adapter, of which one thing at a time is changed below. */
  private static class Straight implements Provider {
    final Provider provider;

    Straight(Provider provider) {
      this.provider = provider;
    }

    @Override
    public Capabilities capabilities() {
      return provider.capabilities();
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      return provider.call(request, watch);
    }

    @Override
    public Finding lookup(Inquiry inquiry) throws InterruptedException {
      return provider.lookup(inquiry);
    }

    @Override
    public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
        throws InterruptedException {
      return provider.replay(request, mayLeave);
    }
  }

  /** Tries again by itself when it hears no answer. */
  static Provider sendsAgain(Provider provider) {
    return new Straight(provider) {
      @Override
      public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
        Outcome first = provider.call(request, watch);
        return first instanceof Outcome.InDoubt ? provider.call(request, watch) : first;
      }
    };
  }

  /** Calls a lost answer a refusal. */
  static Provider saysRefused(Provider provider) {
    return new Straight(provider) {
      @Override
      public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
        Outcome outcome = provider.call(request, watch);
        return outcome instanceof Outcome.InDoubt doubt
            ? new Outcome.Refused(doubt.reason(), Retryability.RETRYABLE, null)
            : outcome;
      }
    };
  }

  /** Asks though nothing says that it can. */
  static Provider asksByItself(Provider provider) {
    return new Straight(provider) {
      @Override
      public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
        Outcome outcome = provider.call(request, watch);
        provider.lookup(inquiry(request));
        return outcome;
      }
    };
  }

  private static Inquiry inquiry(ProviderRequest request) {
    return new Inquiry(
        request.jobId(),
        request.attemptId(),
        request.number(),
        request.kind(),
        request.providerKey(),
        "pi_1",
        Duration.ofSeconds(10));
  }

  /** Sends a request again as if it were another one, and calls that a replay. */
  static Provider actsAgain(Provider provider) {
    return new Straight(provider) {
      @Override
      public Finding replay(ProviderRequest request, BooleanSupplier mayLeave)
          throws InterruptedException {
        return provider.replay(
            new ProviderRequest(
                request.jobId(),
                request.attemptId(),
                request.number(),
                request.owner(),
                request.kind(),
                request.providerKey() + "-again",
                request.input(),
                request.timeout(),
                request.lateAnswerLimit()),
            mayLeave);
      }
    };
  }

  /** Can be looked up, as it says, and never finds anything out. */
  static Provider learnsNothing(Provider provider) {
    return new Straight(provider) {
      @Override
      public Finding lookup(Inquiry inquiry) {
        return new Finding.CannotSay(new Failure("busy", "ask me tomorrow"));
      }
    };
  }

  /** Answers a question without having asked. */
  static Provider guesses(Provider provider) {
    return new Straight(provider) {
      @Override
      public Finding lookup(Inquiry inquiry) {
        return new Finding.NotFound();
      }
    };
  }

  /** Finds that it has failed, and then that it has not. */
  static Provider changesItsMind(Provider provider) {
    AtomicInteger asked = new AtomicInteger();
    return new Straight(provider) {
      @Override
      public Finding lookup(Inquiry inquiry) throws InterruptedException {
        Finding finding = provider.lookup(inquiry);
        return asked.incrementAndGet() > 1 ? new Finding.AtWork(null) : finding;
      }
    };
  }

  /** Calls it a stop when it stops listening. */
  static Provider hangsUp(Provider provider) {
    return new Straight(provider) {
      @Override
      public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
        Thread caller = Thread.currentThread();
        watch.onStop(caller::interrupt);
        try {
          return provider.call(request, watch);
        } catch (InterruptedException e) {
          return new Outcome.Stopped("it does not answer any more");
        }
      }
    };
  }

  /** Works as it does, and declares something else. */
  static Provider declares(Provider provider, Capabilities declared) {
    return new Straight(provider) {
      @Override
      public Capabilities capabilities() {
        return declared;
      }
    };
  }
}
