package dev.onejob.server.observation;

import io.opentelemetry.sdk.trace.IdGenerator;

/** Random ids, but for the span of a job, whose ids are given. */
final class JobTraceIds implements IdGenerator {
  /** Bound while the span of a job is made. */
  static final ScopedValue<JobTrace> GIVEN = ScopedValue.newInstance();

  private final IdGenerator random = IdGenerator.random();

  @Override
  public String generateSpanId() {
    return GIVEN.isBound() ? GIVEN.get().spanId() : random.generateSpanId();
  }

  @Override
  public String generateTraceId() {
    return GIVEN.isBound() ? GIVEN.get().traceId() : random.generateTraceId();
  }
}
