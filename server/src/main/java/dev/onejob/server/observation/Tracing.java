package dev.onejob.server.observation;

import dev.onejob.domain.JobId;
import dev.onejob.provider.Provider;
import dev.onejob.server.config.TracingSettings;
import io.javalin.http.Handler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Traces, sent over OTLP. A request is a span in the trace of its caller. A job is a trace of its
 * own with a span for the job and one for each attempt below it; the job's span and the spans of
 * the requests about it link to each other.
 */
public final class Tracing implements AutoCloseable {
  static final AttributeKey<String> JOB = AttributeKey.stringKey("onejob.job");
  static final AttributeKey<String> ATTEMPT = AttributeKey.stringKey("onejob.attempt");
  static final AttributeKey<String> KIND = AttributeKey.stringKey("onejob.kind");

  private static final Duration SEND_INTERVAL = Duration.ofSeconds(1);

  /** How long a node that closes tries to send what is left. */
  private static final Duration LAST_SEND = Duration.ofSeconds(3);

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final Sampler byTrace;

  private Tracing(SdkTracerProvider provider, Sampler byTrace) {
    this.provider = provider;
    this.tracer = provider.get("dev.onejob");
    this.byTrace = byTrace;
  }

  /**
   * Begins to send.
   *
   * @param node shown as {@code service.instance.id}
   * @throws IllegalArgumentException if the address is none
   */
  public static Tracing start(TracingSettings settings, String node) {
    Sampler byTrace = Sampler.traceIdRatioBased(settings.sampled());
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(settings.otlpEndpoint()).build();
    Resource resource =
        Resource.getDefault()
            .merge(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        "onejob",
                        AttributeKey.stringKey("service.instance.id"),
                        node)));
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setResource(resource)
            .setIdGenerator(new JobTraceIds())
            .setSampler(Sampler.parentBased(byTrace))
            .addSpanProcessor(
                BatchSpanProcessor.builder(exporter).setScheduleDelay(SEND_INTERVAL).build())
            .build();
    return new Tracing(provider, byTrace);
  }

  /** The handler, with a span around each call. */
  public Handler traced(Handler handler) {
    return new TracedCall(handler, this);
  }

  /** The provider, with a span around each attempt. */
  public Provider traced(String name, Provider provider) {
    return new TracedProvider(name, provider, this);
  }

  Tracer tracer() {
    return tracer;
  }

  /**
   * A job was created: its span, which is over at once.
   *
   * @param request the span of the call that created it
   * @param at when that call came
   */
  void created(JobId job, SpanContext request, Instant at) {
    ScopedValue.where(JobTraceIds.GIVEN, JobTrace.of(job))
        .run(
            () ->
                tracer
                    .spanBuilder("job")
                    .setNoParent()
                    .setSpanKind(SpanKind.PRODUCER)
                    .addLink(request)
                    .setAttribute(JOB, job.toString())
                    .setStartTimestamp(at)
                    .startSpan()
                    .end(at));
  }

  /** The span of a job, as one below which others are; every node says the same of it. */
  SpanContext spanOf(JobId job) {
    JobTrace trace = JobTrace.of(job);
    SamplingDecision decision =
        byTrace
            .shouldSample(
                Context.root(),
                trace.traceId(),
                "job",
                SpanKind.PRODUCER,
                Attributes.empty(),
                List.of())
            .getDecision();
    TraceFlags flags =
        decision == SamplingDecision.RECORD_AND_SAMPLE
            ? TraceFlags.getSampled()
            : TraceFlags.getDefault();
    return SpanContext.createFromRemoteParent(
        trace.traceId(), trace.spanId(), flags, TraceState.getDefault());
  }

  /** Sends what is left, for a short while. */
  @Override
  public void close() {
    provider.shutdown().join(LAST_SEND.toMillis(), TimeUnit.MILLISECONDS);
  }
}
