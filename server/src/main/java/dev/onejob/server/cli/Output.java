package dev.onejob.server.cli;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Puts answers where they belong: documents and results on stdout. */
final class Output {
  private Output() {}

  static void document(Terminal terminal, JsonNode document) {
    raw(terminal, JsonMapper.shared().writeValueAsString(document));
  }

  /** A job that was followed: its result alone, or all of it for machines. */
  static int followed(Terminal terminal, ApiOptions api, JsonNode job) {
    if (api.json) {
      document(terminal, job);
    } else if (job.path("payload_emptied_at").isString()) {
      terminal.say("its payloads were emptied at " + job.path("payload_emptied_at").asString());
    } else if (job.path("state").asString("").equals("succeeded")) {
      JsonNode result = job.path("result");
      boolean text = job.path("result_format").asString("").equals("text");
      raw(terminal, text ? result.asString("") : JsonMapper.shared().writeValueAsString(result));
    }
    return JobText.exitCode(job);
  }

  /** A job after a move that it was asked for. */
  static int moved(Terminal terminal, ApiOptions api, JsonNode job) {
    if (api.json) {
      document(terminal, job);
    } else {
      terminal.print(JobText.progress(job));
    }
    return ExitCode.OK;
  }

  /** Bytes of the result are the result's own: nothing in them is made harmless. */
  private static void raw(Terminal terminal, String text) {
    terminal.out().writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    terminal.out().flush();
  }
}
