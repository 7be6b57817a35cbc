package dev.onejob.server.cli;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A command that cannot do what it was asked, with what to say about it and how to exit. */
final class CliFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final transient JsonNode document;

  private CliFailure(int exitCode, String line, JsonNode document) {
    super(line);
    this.exitCode = exitCode;
    this.document = document;
  }

  /** The service answered with a problem document, or with an error that is none. */
  static CliFailure refused(Reply reply) {
    JsonNode problem = reply.json();
    if (!problem.has("type")) {
      return of(
          ExitCode.REFUSED,
          "http-" + reply.status(),
          "the server answered " + reply.status() + " and no problem document; is it onejob?");
    }
    String detail = problem.path("detail").asString(problem.path("title").asString(""));
    String code = problem.path("code").asString(problem.path("type").asString(""));
    return new CliFailure(ExitCode.REFUSED, code + ": " + detail, problem);
  }

  static CliFailure unreachable(String detail) {
    return of(ExitCode.UNREACHABLE, "unreachable", detail);
  }

  static CliFailure usage(String detail) {
    return of(ExitCode.USAGE, "usage", detail);
  }

  private static CliFailure of(int exitCode, String type, String detail) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.put("type", type).put("detail", detail);
    return new CliFailure(exitCode, type + ": " + detail, document);
  }

  int exitCode() {
    return exitCode;
  }

  /** The problem as a document, for {@code --json}. */
  JsonNode document() {
    return document;
  }
}
