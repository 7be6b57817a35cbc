package dev.onejob.server.http.operation;

import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.wire.OpenAiErrorWriter;
import dev.onejob.server.http.wire.ProblemWriter;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;

/** Sends finished bytes, past everything that would copy or compress them. */
final class Answers {
  static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream; charset=utf-8";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private Answers() {}

  static void ok(Context ctx, byte[] json) throws IOException {
    send(ctx, HttpStatus.OK.getCode(), JSON, json);
  }

  static void created(Context ctx, byte[] json) throws IOException {
    send(ctx, HttpStatus.CREATED.getCode(), JSON, json);
  }

  static void metrics(Context ctx, byte[] text) throws IOException {
    send(ctx, HttpStatus.OK.getCode(), METRICS, text);
  }

  static void noContent(Context ctx) {
    protect(ctx.res());
    ctx.res().setStatus(HttpStatus.NO_CONTENT.getCode());
  }

  static void unavailable(Context ctx, byte[] json) throws IOException {
    send(ctx, HttpStatus.SERVICE_UNAVAILABLE.getCode(), JSON, json);
  }

  static void problem(Context ctx, Problem problem) throws IOException {
    HttpServletResponse response = ctx.res();
    if (response.isCommitted()) {
      return;
    }
    response.resetBuffer();
    problem.headers().forEach(response::setHeader);
    if (Door.leadsTo(ctx.path())) {
      send(ctx, problem.type().status(), JSON, OpenAiErrorWriter.write(problem));
    } else {
      send(ctx, problem.type().status(), ProblemWriter.MEDIA_TYPE, ProblemWriter.write(problem));
    }
  }

  /** Sends the head of a stream of events; what is written afterwards are the events. */
  static OutputStream events(Context ctx) throws IOException {
    HttpServletResponse response = ctx.res();
    protect(response);
    response.setStatus(HttpStatus.OK.getCode());
    response.setContentType(EVENTS);
    response.setHeader("X-Accel-Buffering", "no"); // nginx would hold events back
    response.flushBuffer();
    return response.getOutputStream();
  }

  private static void send(Context ctx, int status, String mediaType, byte[] body)
      throws IOException {
    HttpServletResponse response = ctx.res();
    protect(response);
    response.setStatus(status);
    response.setContentType(mediaType);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Answers are about live things and for one caller: nobody keeps or reinterprets them. */
  private static void protect(HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
  }
}
