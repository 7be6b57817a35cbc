package dev.onejob.providers.httpasync;

import dev.onejob.providers.httpasync.Peer.Work;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What differs from provider to provider. */
interface Dialect {
  /** The state of a work that is asked about there; null: the path is none of a work. */
  @Nullable String workOf(String path, String ending);

  /** How the path of a status ends. */
  String statusEnding();

  JsonNode taken(Work work, URI base);

  JsonNode status(Work work, URI base);

  JsonNode callback(Work work);

  /** Where the work's callbacks go; empty: nowhere. */
  Optional<URI> callbackAddress(Work work);

  Map<String, String> signed(byte[] body, String event, Instant now);

  int takenStatus();

  String cancelMethod();

  /** Documents besides. */
  Optional<JsonNode> document(String path);
}
