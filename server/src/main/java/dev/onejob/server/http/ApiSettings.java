package dev.onejob.server.http;

import dev.onejob.server.http.operation.Watching;

/**
 * Where the API listens, and who watches it.
 *
 * @param host a name or address of this machine
 * @param port 0: any that is free
 */
public record ApiSettings(String host, int port, Watching watching) {
  /** An API that nobody watches. */
  public ApiSettings(String host, int port) {
    this(host, port, Watching.NOBODY);
  }
}
