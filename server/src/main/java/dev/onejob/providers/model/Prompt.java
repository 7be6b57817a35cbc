package dev.onejob.providers.model;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.model.Template.MissingPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The turns of a prompt, made out of templates and a job's input. */
public final class Prompt {
  private final List<Blank> blanks;

  private Prompt(List<Blank> blanks) {
    this.blanks = List.copyOf(blanks);
  }

  /** One message of the settings; its content is a template. */
  public record Message(String role, String content) {}

  /** One turn, filled. */
  public record Turn(String role, String text) {}

  private record Blank(String role, Template content) {}

  /** Of the settings of these names, of which the last two exclude each other. */
  static Prompt of(
      @Nullable String system, @Nullable List<Message> messages, @Nullable String prompt) {
    List<Blank> blanks = new ArrayList<>();
    if (system != null) {
      blanks.add(new Blank("system", Template.of(system, "/system")));
    }
    if (prompt != null) {
      blanks.add(new Blank("user", Template.of(prompt, "/prompt")));
    }
    for (int i = 0; messages != null && i < messages.size(); i++) {
      Message message = messages.get(i);
      String place = "/messages/" + i + "/content";
      blanks.add(new Blank(message.role(), Template.of(message.content(), place)));
    }
    return new Prompt(blanks);
  }

  /**
   * Fills the templates.
   *
   * @param input JSON
   * @throws MissingPart if it lacks what a template needs
   * @throws JacksonException if it cannot be read
   */
  public List<Turn> fill(byte[] input) throws MissingPart {
    JsonNode read = BoundedJson.read(input);
    List<Turn> turns = new ArrayList<>();
    for (Blank blank : blanks) {
      turns.add(new Turn(blank.role(), blank.content().fill(read)));
    }
    return turns;
  }
}
