package dev.onejob.server.observation;

import dev.onejob.domain.JobId;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The trace of a job: its ids follow from the job's own. So whichever node starts an attempt,
 * however long after, puts it under the same span, and nothing has to be stored for that.
 *
 * @param traceId of all spans of the job, in hexadecimal
 * @param spanId of the span that the others are under
 */
record JobTrace(String traceId, String spanId) {
  private static final String DOMAIN = "onejob-trace-v1\n";

  static JobTrace of(JobId job) {
    ByteBuffer digest = ByteBuffer.wrap(sha256(DOMAIN + job));
    return new JobTrace(
        TraceId.fromLongs(digest.getLong(), digest.getLong()), SpanId.fromLong(digest.getLong()));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
