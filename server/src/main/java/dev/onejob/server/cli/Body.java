package dev.onejob.server.cli;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A request body whose members are written once, in order; raw JSON goes in as it was given. */
final class Body {
  private final Map<String, String> members = new LinkedHashMap<>();

  Body raw(String name, @Nullable String json) {
    if (json != null) {
      members.put(name, json);
    }
    return this;
  }

  Body text(String name, @Nullable String text) {
    return raw(name, text == null ? null : JsonMapper.shared().writeValueAsString(text));
  }

  Body number(String name, @Nullable Integer number) {
    return raw(name, number == null ? null : number.toString());
  }

  /** Left out if it is empty. */
  Body list(String name, Collection<String> texts) {
    return raw(name, texts.isEmpty() ? null : JsonMapper.shared().writeValueAsString(texts));
  }

  byte[] bytes() {
    return members.entrySet().stream()
        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
