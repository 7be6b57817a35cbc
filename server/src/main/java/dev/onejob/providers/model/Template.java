package dev.onejob.providers.model;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Text with places for parts of a job's input: {@code {{/json/pointer}}}, or {@code {{}}} for all
 * of it. A string is put in as it is, any other value as JSON. A backslash before two braces makes
 * them plain text. What is put in is never looked at again.
 */
public final class Template {
  private static final Pattern BRACES = Pattern.compile("(\\\\)?\\{\\{");
  private static final String END = "}}";

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  private sealed interface Part {
    record Plain(String text) implements Part {}

    record Place(JsonPointer pointer) implements Part {}
  }

  /**
   * Reads a template.
   *
   * @param setting where it stands in the settings
   * @throws InvalidSetting if its braces are not closed, or hold no pointer
   */
  public static Template of(String text, String setting) {
    List<Part> parts = new ArrayList<>();
    Matcher braces = BRACES.matcher(text);
    int done = 0;
    while (braces.find(done)) {
      parts.add(new Part.Plain(text.substring(done, braces.start())));
      if (braces.group(1) != null) {
        parts.add(new Part.Plain("{{"));
        done = braces.end();
      } else {
        int end = text.indexOf(END, braces.end());
        parts.add(place(text, braces.end(), end, setting));
        done = end + END.length();
      }
    }
    parts.add(new Part.Plain(text.substring(done)));
    return new Template(parts);
  }

  private static Part place(String text, int start, int end, String setting) {
    if (end < 0) {
      throw new InvalidSetting(
          setting, "two opening braces at character " + start + " are not closed");
    }
    String pointer = text.substring(start, end).strip();
    try {
      return new Part.Place(JsonPointer.compile(pointer));
    } catch (IllegalArgumentException e) {
      String problem = "{{" + pointer + "}} is no JSON pointer; write \\{{ for plain braces";
      throw new InvalidSetting(setting, problem);
    }
  }

  /** Where its only part comes from; empty if it holds plain text or more than one place. */
  public Optional<JsonPointer> only() {
    List<Part> filled = parts.stream().filter(part -> !part.equals(new Part.Plain(""))).toList();
    return filled.size() == 1 && filled.getFirst() instanceof Part.Place place
        ? Optional.of(place.pointer())
        : Optional.empty();
  }

  /**
   * Fills it from an input.
   *
   * @throws MissingPart if the input has nothing at a place
   */
  public String fill(JsonNode input) throws MissingPart {
    StringBuilder filled = new StringBuilder();
    for (Part part : parts) {
      filled.append(
          switch (part) {
            case Part.Plain plain -> plain.text();
            case Part.Place place -> found(input, place.pointer());
          });
    }
    return filled.toString();
  }

  /**
   * What an input has at a place.
   *
   * @throws MissingPart if it has nothing there
   */
  public static JsonNode value(JsonNode input, JsonPointer pointer) throws MissingPart {
    JsonNode value = input.at(pointer);
    if (value.isMissingNode()) {
      throw new MissingPart(pointer.toString());
    }
    return value;
  }

  private static String found(JsonNode input, JsonPointer pointer) throws MissingPart {
    JsonNode value = value(input, pointer);
    return value.isString() ? value.stringValue() : BoundedJson.text(value);
  }

  /** The input lacks what a template needs. */
  public static final class MissingPart extends UnusableInput {
    private static final long serialVersionUID = 1L;

    MissingPart(String pointer) {
      super("the input has nothing at " + pointer + ", which the provider's template needs");
    }
  }
}
