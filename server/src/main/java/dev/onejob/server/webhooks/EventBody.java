package dev.onejob.server.webhooks;

import dev.onejob.domain.Delivery.News;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What receivers read: which job, and where it stands. Never an input or a result. */
public final class EventBody {
  private EventBody() {}

  /** The same bytes for the same news. */
  public static byte[] of(News news) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", news.job().toString());
    data.put("key", news.key().value());
    data.put("kind", news.kind());
    data.put("state", news.jobState().word());
    data.put("failure_code", news.failureCode());
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", news.event().word());
    body.put("timestamp", news.occurredAt().toString());
    body.set("data", data);
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
