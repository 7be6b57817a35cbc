package dev.onejob.server.http.operation;

import dev.onejob.server.access.Credential;
import io.javalin.http.Context;

/** One operation, for a caller who has shown who they are. */
interface Operation {
  void handle(Context ctx, Credential caller) throws Exception;
}
