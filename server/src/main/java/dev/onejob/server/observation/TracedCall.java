package dev.onejob.server.observation;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.server.http.problem.ProblemException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.TextMapGetter;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A handler, and a span around each call of it; below the caller's own, if it says so. */
record TracedCall(Handler handler, Tracing tracing) implements Handler {
  private static final AttributeKey<Long> STATUS =
      AttributeKey.longKey("http.response.status_code");
  private static final int FIRST_SERVER_STATUS = 500;
  private static final int CREATED = 201;
  private static final String SUBMISSIONS = "/v1/jobs";
  private static final String JOBS = SUBMISSIONS + "/";

  private static final TextMapGetter<HttpServletRequest> HEADERS =
      new TextMapGetter<>() {
        @Override
        public @Nullable String get(@Nullable HttpServletRequest request, String name) {
          return request == null ? null : request.getHeader(name);
        }
      };

  @Override
  public void handle(Context ctx) throws Exception {
    Instant from = Instant.now();
    Span span = span(ctx);
    try {
      handler.handle(ctx);
      span.setAttribute(STATUS, (long) ctx.res().getStatus());
    } catch (ProblemException e) {
      refused(span, e.problem().type().status());
      throw e;
    } catch (Exception e) {
      span.setStatus(StatusCode.ERROR).setAttribute("error.type", e.getClass().getName());
      throw e;
    } finally {
      attempt(ctx).ifPresent(id -> span.setAttribute(Tracing.ATTEMPT, id.toString()));
      job(ctx).ifPresent(id -> link(span, id));
      if (ctx.res().getStatus() == CREATED && ctx.endpoint().path.equals(SUBMISSIONS)) {
        job(ctx).ifPresent(id -> tracing.created(id, span.getSpanContext(), from));
      }
      span.end();
    }
  }

  private void link(Span span, JobId job) {
    span.setAttribute(Tracing.JOB, job.toString());
    span.addLink(tracing.spanOf(job));
  }

  private Span span(Context ctx) {
    String route = ctx.endpoint().path;
    return tracing
        .tracer()
        .spanBuilder(ctx.method() + " " + route)
        .setSpanKind(SpanKind.SERVER)
        .setParent(
            W3CTraceContextPropagator.getInstance()
                .extract(io.opentelemetry.context.Context.root(), ctx.req(), HEADERS))
        .setAttribute("http.request.method", ctx.method().name())
        .setAttribute("http.route", route)
        .startSpan();
  }

  private static void refused(Span span, int status) {
    span.setAttribute(STATUS, (long) status);
    if (status >= FIRST_SERVER_STATUS) {
      span.setStatus(StatusCode.ERROR);
    }
  }

  /** From the path; else, as after a submission, from where the answer says that the job is. */
  private static Optional<JobId> job(Context ctx) {
    String location = ctx.res().getHeader("Location");
    return location != null && location.startsWith(JOBS)
        ? JobId.parse(location.substring(JOBS.length()))
        : JobId.parse(ctx.pathParamMap().getOrDefault("id", ""));
  }

  private static Optional<AttemptId> attempt(Context ctx) {
    return AttemptId.parse(ctx.pathParamMap().getOrDefault("id", ""));
  }
}
