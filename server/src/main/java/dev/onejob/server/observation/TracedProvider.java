package dev.onejob.server.observation;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.provider.Said;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A provider, and a span around each attempt at it. */
record TracedProvider(String name, Provider provider, Tracing tracing) implements Provider {
  @Override
  public Capabilities capabilities() {
    return provider.capabilities();
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    Span span = span(request);
    try {
      Outcome outcome = provider.call(request, new Watch(watch, span));
      span.setAttribute(
          "onejob.outcome", outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT));
      if (!(outcome instanceof Outcome.Succeeded)) {
        span.setStatus(StatusCode.ERROR);
      }
      return outcome;
    } catch (InterruptedException | RuntimeException | Error e) {
      span.setStatus(StatusCode.ERROR).setAttribute("error.type", e.getClass().getName());
      throw e;
    } finally {
      span.end();
    }
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

  @Override
  public Optional<CallbackReader> callbackReader() {
    return provider.callbackReader();
  }

  private Span span(ProviderRequest request) {
    return tracing
        .tracer()
        .spanBuilder("attempt")
        .setSpanKind(SpanKind.CLIENT)
        .setParent(Context.root().with(Span.wrap(tracing.spanOf(request.jobId()))))
        .setAttribute(Tracing.JOB, request.jobId().toString())
        .setAttribute(Tracing.ATTEMPT, request.attemptId().toString())
        .setAttribute(Tracing.KIND, request.kind())
        .setAttribute("onejob.provider", name)
        .setAttribute("onejob.number", (long) request.number())
        .startSpan();
  }

  @Override
  public void close() {
    provider.close();
  }

  /** The engine's watch, which knows the span besides. */
  record Watch(CallWatch watch, Span span) implements CallWatch {
    @Override
    public boolean mayLeave() {
      return watch.mayLeave();
    }

    @Override
    public void handedOver() {
      watch.handedOver();
    }

    @Override
    public void accepted(@Nullable String providerRef) {
      span.addEvent("accepted");
      watch.accepted(providerRef);
    }

    @Override
    public void answeredBy(String model) {
      span.setAttribute("gen_ai.response.model", model);
      watch.answeredBy(model);
    }

    @Override
    public void said(Supplier<Optional<Said>> words) {
      watch.said(words);
    }

    @Override
    public void onStop(Runnable stop) {
      watch.onStop(stop);
    }

    @Override
    public boolean stopAsked() {
      return watch.stopAsked();
    }

    @Override
    public Optional<String> traceparent() {
      SpanContext context = span.getSpanContext();
      return Optional.of(
          "00-%s-%s-%s"
              .formatted(
                  context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex()));
    }
  }
}
