package dev.onejob.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What every list takes, and how it says that there is more. */
final class ListOptions {
  @Option(names = "--kind", paramLabel = "KIND", description = "only this kind")
  @Nullable String kind;

  @Option(names = "--limit", paramLabel = "N", description = "at most so many, up to 200")
  @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where a list ended")
  @Nullable String cursor;

  /** The query of a list: these options, and what the command has besides. */
  String query(Map<String, @Nullable String> besides) {
    Map<String, @Nullable String> wanted = new LinkedHashMap<>(besides);
    wanted.put("kind", kind);
    wanted.put("limit", limit == null ? null : limit.toString());
    wanted.put("cursor", cursor);
    wanted.values().removeIf(value -> value == null);
    return wanted.entrySet().stream()
        .map(each -> each.getKey() + "=" + JobText.encoded(each.getValue()))
        .collect(Collectors.joining("&", wanted.isEmpty() ? "" : "?", ""));
  }

  /** Says how to go on, if the page is not the last. */
  static void sayMore(Terminal terminal, JsonNode page) {
    if (page.path("next_cursor").isString()) {
      terminal.say("more: --cursor " + JobText.word(page, "next_cursor"));
    }
  }
}
