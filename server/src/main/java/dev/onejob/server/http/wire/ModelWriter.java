package dev.onejob.server.http.wire;

import java.util.Collection;
import java.util.List;

/** The models behind the OpenAI door, in the form of OpenAI's API. */
public final class ModelWriter {
  private ModelWriter() {}

  /** All of them. */
  public static byte[] list(Collection<String> models) {
    return JsonOut.object(
        out -> {
          out.text("object", "list");
          out.list("data", List.copyOf(models), ModelWriter::model);
        });
  }

  /** One of them. */
  public static byte[] one(String model) {
    return JsonOut.object(out -> model(out, model));
  }

  /** When a name was given to a kind is not kept: 0 stands for that. */
  private static void model(JsonOut out, String model) {
    out.text("id", model);
    out.text("object", "model");
    out.number("created", 0);
    out.text("owned_by", "onejob");
  }
}
