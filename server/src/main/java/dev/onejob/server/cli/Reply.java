package dev.onejob.server.cli;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** An answer of the service, read whole. */
record Reply(int status, byte[] body) {
  boolean ok() {
    return status >= 200 && status < 300;
  }

  /** Whether the service, or something before it, asks to come again. */
  boolean passing() {
    return status == 429 || status == 502 || status == 503 || status == 504;
  }

  /** The body; missing if it is no JSON. */
  JsonNode json() {
    try {
      return JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  /**
   * The body of a good answer.
   *
   * @throws CliFailure if it is none
   */
  JsonNode good() {
    if (!ok()) {
      throw CliFailure.refused(this);
    }
    JsonNode json = json();
    if (!json.isObject() && status != 204) {
      throw CliFailure.unreachable("the answer is no JSON object; is it onejob?");
    }
    return json;
  }
}
