package dev.onejob.server.http;

import dev.onejob.server.http.door.Door;
import dev.onejob.server.http.operation.Watching;
import org.jspecify.annotations.Nullable;

/**
 * Where the API listens, and who watches it.
 *
 * @param host a name or address of this machine
 * @param port 0: any that is free
 * @param door for clients of OpenAI's API; null: there is none
 */
public record ApiSettings(String host, int port, Watching watching, @Nullable Door door) {
  /** An API without an OpenAI door that nobody watches. */
  public ApiSettings(String host, int port) {
    this(host, port, Watching.NOBODY);
  }

  /** An API without an OpenAI door. */
  public ApiSettings(String host, int port, Watching watching) {
    this(host, port, watching, null);
  }
}
