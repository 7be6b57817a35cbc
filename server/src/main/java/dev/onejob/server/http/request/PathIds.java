package dev.onejob.server.http.request;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.RunId;
import dev.onejob.domain.WebhookId;
import dev.onejob.server.http.problem.Problem;
import io.javalin.http.Context;
import java.util.UUID;

/** The id in the path. What cannot be an id is not found, like an id that never existed. */
public final class PathIds {
  private static final String NAME = "id";

  private PathIds() {}

  /** A job's. */
  public static JobId job(Context ctx) {
    return JobId.parse(ctx.pathParam(NAME)).orElseThrow(Problem::notFound);
  }

  /** An attempt's. */
  public static AttemptId attempt(Context ctx) {
    return AttemptId.parse(ctx.pathParam(NAME)).orElseThrow(Problem::notFound);
  }

  /** A qualification run's. */
  public static RunId run(Context ctx) {
    return RunId.parse(ctx.pathParam(NAME)).orElseThrow(Problem::notFound);
  }

  /** A webhook's. */
  public static WebhookId webhook(Context ctx) {
    return WebhookId.parse(ctx.pathParam(NAME)).orElseThrow(Problem::notFound);
  }

  /** A delivery's. */
  public static DeliveryId delivery(Context ctx) {
    return DeliveryId.parse(ctx.pathParam(NAME)).orElseThrow(Problem::notFound);
  }

  /** An API key's. */
  public static UUID key(Context ctx) {
    String text = ctx.pathParam(NAME);
    try {
      UUID id = UUID.fromString(text);
      if (id.toString().equals(text)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      throw Problem.notFound();
    }
    throw Problem.notFound();
  }
}
