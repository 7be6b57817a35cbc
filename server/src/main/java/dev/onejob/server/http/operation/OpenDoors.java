package dev.onejob.server.http.operation;

import dev.onejob.domain.JobId;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.Parameters;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;

/** The calls that need no API key: health, this API's own description, and the sandbox. */
final class OpenDoors {
  private static final String DOCUMENT = "/dev/onejob/server/http/openapi.json";
  private static final byte[] ALIVE = json("{\"status\":\"alive\"}");
  private static final byte[] READY = json("{\"status\":\"ready\"}");
  private static final byte[] NOT_READY = json("{\"status\":\"not_ready\"}");

  private final JobEngine engine;
  private final SandboxEffects sandbox;
  private final byte[] document = document();

  OpenDoors(JobEngine engine, SandboxEffects sandbox) {
    this.engine = engine;
    this.sandbox = sandbox;
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] document() {
    try (InputStream stream = OpenDoors.class.getResourceAsStream(DOCUMENT)) {
      return Objects.requireNonNull(stream, DOCUMENT).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code GET /healthz}. */
  void alive(Context ctx) throws IOException {
    Answers.ok(ctx, ALIVE);
  }

  /** {@code GET /readyz}. */
  void ready(Context ctx) throws IOException {
    if (engine.ready()) {
      Answers.ok(ctx, READY);
    } else {
      Answers.unavailable(ctx, NOT_READY);
    }
  }

  /** {@code GET /openapi.json}. */
  void document(Context ctx) throws IOException {
    Answers.ok(ctx, document);
  }

  /** {@code GET /sandbox/effects?job=…}. */
  void effects(Context ctx) throws IOException {
    String id = Parameters.of(ctx, Set.of("job")).text("job");
    if (id == null) {
      throw Problem.parameter("job", "Say which job: ?job=job_….");
    }
    JobId job = JobId.parse(id).orElseThrow(Problem::notFound);
    Answers.ok(ctx, json(sandbox.of(job).toString()));
  }
}
