package dev.onejob.server.http.operation;

import dev.onejob.engine.Access;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.RequestBody;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/** Stands before every operation: who calls, whether they may, and whether there is room. */
final class Guard {
  /** Most calls at once, waiting ones included; each may hold a body and an answer in memory. */
  private static final int CALLS_MAX = 4_096;

  private static final String SCHEME = "Bearer ";

  private final ApiKeys keys;
  private final UnaryOperator<Handler> tracing;
  private final Semaphore room = new Semaphore(CALLS_MAX);

  Guard(ApiKeys keys, UnaryOperator<Handler> tracing) {
    this.keys = keys;
    this.tracing = tracing;
  }

  /** Whose jobs a caller may see and move. */
  static Access reach(Credential caller) {
    return Acts.reach(caller);
  }

  /** The operation, for these roles only. */
  Handler allowing(Set<Role> roles, Operation operation) {
    return tracing.apply(untraced(roles, operation));
  }

  /** The same for what is called all the time and is about no job. */
  Handler untraced(Set<Role> roles, Operation operation) {
    return ifRoom(ctx -> operation.handle(ctx, admitted(roles, ctx)));
  }

  /** What looks at a credential of its own, and needs no API key. */
  Handler unkeyed(Handler handler) {
    return tracing.apply(ifRoom(handler));
  }

  private Handler ifRoom(Handler handler) {
    return ctx -> {
      if (!room.tryAcquire()) {
        throw overloaded();
      }
      try {
        handler.handle(ctx);
      } finally {
        room.release();
      }
    };
  }

  private Credential admitted(Set<Role> roles, Context ctx) {
    Credential caller = authenticated(Collections.list(ctx.req().getHeaders("Authorization")));
    if (!roles.contains(caller.role())) {
      throw Problem.of(
              ProblemType.FORBIDDEN,
              "This call is not for API keys of the role " + caller.role().word() + ".")
          .asException();
    }
    RequestBody.sentBy(ctx.req(), caller.id());
    return caller;
  }

  /** Of two headers a proxy may have looked at the other one: neither counts. */
  private Credential authenticated(List<String> headers) {
    if (headers.size() != 1) {
      throw unauthorized("Bearer realm=\"onejob\"", "Send Authorization: Bearer <API key>, once.");
    }
    String header = headers.getFirst();
    boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    return (bearer ? keys.find(header.substring(SCHEME.length()).strip()) : noCredential())
        .orElseThrow(
            () ->
                unauthorized(
                    "Bearer realm=\"onejob\", error=\"invalid_token\"",
                    "The Authorization header holds no API key that is in use."));
  }

  private static Optional<Credential> noCredential() {
    return Optional.empty();
  }

  private static ProblemException unauthorized(String challenge, String detail) {
    return Problem.of(ProblemType.UNAUTHORIZED, detail)
        .withHeader("WWW-Authenticate", challenge)
        .asException();
  }

  private static ProblemException overloaded() {
    return Problem.of(
            ProblemType.OVERLOADED, "This node has " + CALLS_MAX + " calls under way; try again.")
        .withHeader("Retry-After", "1")
        .asException();
  }
}
