package dev.onejob.providers.httpasync;

import java.net.URI;
import tools.jackson.databind.node.ObjectNode;

final class ReplicateFailuresTest implements AsyncFailures {
  @Override
  public ObjectNode settings(URI address) {
    return Adapters.withoutSecrets(Adapters.replicate(address));
  }

  @Override
  public String good() {
    return "{\"id\":\"w1\",\"status\":\"succeeded\",\"output\":[\"https://example.com/1.webp\"]}";
  }
}
