package dev.onejob.server.http.operation;

import dev.onejob.server.access.Credential;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.door.DoorRequest;
import dev.onejob.server.http.wire.ModelWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/** {@code GET /openai/v1/models} and {@code GET /openai/v1/models/{model}}. */
final class ListModels {
  private final SequencedSet<String> models = new LinkedHashSet<>();

  ListModels(Door door) {
    models.addAll(door.chatCompletions().keySet());
    models.addAll(door.responses().keySet());
  }

  void all(Context ctx, Credential caller) throws IOException {
    Answers.ok(ctx, ModelWriter.list(models));
  }

  void one(Context ctx, Credential caller) throws IOException {
    String model = ctx.pathParam("model");
    if (!models.contains(model)) {
      throw DoorRequest.noModel(model);
    }
    Answers.ok(ctx, ModelWriter.one(model));
  }
}
