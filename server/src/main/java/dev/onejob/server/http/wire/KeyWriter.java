package dev.onejob.server.http.wire;

import dev.onejob.server.access.ApiKey;
import dev.onejob.server.access.NewKey;
import java.util.List;

/** API keys. */
public final class KeyWriter {
  private KeyWriter() {}

  /** A key that was just made, with its secret. */
  public static byte[] write(NewKey made) {
    return JsonOut.object(
        out -> {
          members(out, made.key());
          out.text("secret", made.secret());
        });
  }

  /** The keys of the deployment, without secrets. */
  public static byte[] write(List<ApiKey> keys) {
    return JsonOut.object(out -> out.list("keys", keys, KeyWriter::members));
  }

  private static void members(JsonOut out, ApiKey key) {
    out.id("id", key.id());
    out.text("name", key.name());
    out.text("role", key.role().word());
    out.id("owner", key.owner());
    out.time("created_at", key.createdAt());
    out.time("withdrawn_at", key.withdrawnAt());
  }
}
