package dev.onejob.providers.httpasync;

import java.net.URI;
import tools.jackson.databind.node.ObjectNode;

final class GenericFailuresTest implements AsyncFailures {
  @Override
  public ObjectNode settings(URI address) {
    return (ObjectNode)
        Adapters.settings(
            """
            profile: generic
            base_url: %s
            submit: {path: /works}
            status: {path: "/works/{id}", at_work: [going], succeeded: [done], failed: [broken]}
            result: {at: /made}
            poll: {every: 20ms}
            """
                .formatted(address));
  }

  @Override
  public String good() {
    return "{\"id\":7,\"status\":\"done\",\"made\":{\"url\":\"https://example.com/1.png\"}}";
  }
}
