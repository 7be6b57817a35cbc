package dev.onejob.server.http.operation;

import dev.onejob.engine.KindNotKnownException;
import dev.onejob.engine.ProviderNotKnownException;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.RequestBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.UUID;
import org.eclipse.jetty.http.HttpException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever ends an operation early into a problem. */
public final class Faults {
  private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** Said before the body is read, to a sender that may still be at sending it. */
  private static final Set<ProblemType> UNREAD =
      Set.of(ProblemType.BODY_TOO_LARGE, ProblemType.SIGNATURE_INVALID);

  private Faults() {}

  static void register(RoutesConfig routes) {
    routes.exception(HttpResponseException.class, (e, ctx) -> problem(ctx, of(ctx, e)));
    routes.exception(Exception.class, (e, ctx) -> problem(ctx, of(ctx, e)));
  }

  /**
   * What it is that ended a call; what nobody expected is logged here under an id.
   *
   * @param e whatever was thrown
   */
  public static Problem of(Context ctx, Exception e) {
    return switch (e) {
      case ProblemException known -> known.problem();
      case HttpResponseException known -> routing(known);
      case KindNotKnownException known -> lacksKind(known);
      case ProviderNotKnownException known -> lacksProvider(known);
      default -> unexpected(ctx, e);
    };
  }

  /** Not taken unchecked, and not lost: who brings the result keeps it, and brings it again. */
  private static Problem lacksKind(KindNotKnownException e) {
    return Problem.of(
            ProblemType.NODE_LACKS_KIND,
            "This node is not configured with the kind "
                + e.kind()
                + " and cannot check the result by its contract. Nothing was changed; send the same"
                + " request again, to another node.")
        .with("kind", e.kind())
        .withHeader("Retry-After", "5");
  }

  /** The same to whoever calls: another node can take it. */
  private static Problem lacksProvider(ProviderNotKnownException e) {
    return Problem.of(
            ProblemType.NODE_LACKS_KIND,
            "This node is not configured with the provider "
                + e.provider()
                + " of the attempt and cannot read its callbacks. Nothing was changed; send the"
                + " same request again, to another node.")
        .with("kind", e.kind())
        .withHeader("Retry-After", "5");
  }

  private static void problem(Context ctx, Problem problem) {
    try {
      Answers.problem(ctx, problem);
      if (UNREAD.contains(problem.type())) {
        ctx.res().flushBuffer();
        RequestBody.discardRest(ctx.req());
      }
    } catch (IOException e) {
      LOG.debug("the caller has gone before it could read {}", problem.type().code(), e);
    }
  }

  /** What the router found: no such path, or no such method on it. */
  private static Problem routing(HttpResponseException e) {
    ProblemType type = ProblemType.ofStatus(e.getStatus());
    if (type == ProblemType.NOT_FOUND) {
      return Problem.notFound().problem();
    }
    String methods = e.getDetails().getOrDefault("availableMethods", "");
    Problem problem = Problem.of(type, type.title() + ".");
    return type == ProblemType.METHOD_NOT_ALLOWED && !methods.isEmpty()
        ? problem.withHeader("Allow", methods)
        : problem;
  }

  private static Problem unexpected(Context ctx, Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    HttpException http = cause(e, HttpException.class);
    if (http != null) {
      ProblemType type = ProblemType.ofStatus(http.getCode());
      return Problem.of(type, "The request could not be read to its end.");
    }
    if (databaseIsAway(e)) {
      LOG.warn("{} {}: the database does not answer", ctx.method(), path(ctx), e);
      return Problem.of(
              ProblemType.DATABASE_UNAVAILABLE,
              "Nothing is known about the outcome; send the same request again.")
          .withHeader("Retry-After", "1");
    }
    if (cause(e, IOException.class) != null && cause(e, SQLException.class) == null) {
      LOG.debug("{} {}: the caller broke off", ctx.method(), path(ctx), e);
      return Problem.of(ProblemType.REQUEST_MALFORMED, "The request could not be read to its end.");
    }
    String incident = UUID.randomUUID().toString();
    LOG.error("incident {}: {} {}", incident, ctx.method(), path(ctx), e);
    return Problem.of(
            ProblemType.INTERNAL_ERROR, "It is logged under the id in the member incident.")
        .with("incident", incident);
  }

  private static String path(Context ctx) {
    return CallbackRoute.withoutSecret(ctx.path());
  }

  /**
   * Connections refused or broken (08), resources short (53), operator intervention (57), somebody
   * else's lock; without a state the pool could not lend a connection.
   */
  private static boolean databaseIsAway(Exception e) {
    SQLException sql = cause(e, SQLException.class);
    if (sql == null) {
      return false;
    }
    String state = sql.getSQLState() == null ? "" : sql.getSQLState();
    return sql instanceof SQLTransientConnectionException
        || state.startsWith("08")
        || state.startsWith("53")
        || state.startsWith("57")
        || state.equals(LOCK_NOT_AVAILABLE)
        || state.isEmpty();
  }

  private static <T> @Nullable T cause(Throwable thrown, Class<T> type) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
    }
    return null;
  }
}
