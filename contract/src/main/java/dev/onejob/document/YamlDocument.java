package dev.onejob.document;

import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import tools.jackson.databind.JsonNode;

/**
 * A YAML document as JSON that still knows its lines.
 *
 * @param file as the operator named it
 * @param lines the line of every member and item, by JSON pointer
 */
public record YamlDocument(String file, JsonNode root, Map<String, Integer> lines) {
  /** Largest configuration file, in characters; thousands of kinds fit in. */
  public static final int FILE_CHARS_MAX = 1 << 20;

  /**
   * Reads the one document of a file. JSON is YAML, and is read as such.
   *
   * @param expected what a document of this sort holds, for a message about one that holds nothing
   * @throws ConfigException if it is no YAML, or uses what a configuration has no need of
   */
  public static YamlDocument read(String file, String text, String expected) {
    if (text.length() > FILE_CHARS_MAX) {
      throw ConfigException.of(file, 0, "is larger than " + FILE_CHARS_MAX + " characters");
    }
    LoadSettings settings = LoadSettings.builder().setLabel(file).build();
    try {
      YamlForm.check(file, text, settings);
      Optional<Node> node = new Compose(settings).composeString(text);
      if (node.isEmpty()) {
        throw ConfigException.of(file, 1, "is empty; expected " + expected);
      }
      return new YamlTree(file).read(node.get());
    } catch (MarkedYamlEngineException e) {
      throw ConfigException.of(file, line(e), problem(e));
    } catch (YamlEngineException e) {
      throw ConfigException.of(file, 0, "is not YAML: " + e.getMessage());
    }
  }

  /** The line of a place, or of the nearest place around it that has one. */
  public int line(String pointer) {
    String place = pointer;
    while (!place.isEmpty() && !lines.containsKey(place)) {
      place = Pointers.parent(place);
    }
    return lines.getOrDefault(place, 1);
  }

  /** A complaint about one place. */
  public ConfigProblem problem(String pointer, String message) {
    String name = Pointers.dotted(pointer);
    return new ConfigProblem(file, line(pointer), name.isEmpty() ? message : name + ": " + message);
  }

  private static int line(MarkedYamlEngineException e) {
    return e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(-1) + 1;
  }

  private static String problem(MarkedYamlEngineException e) {
    return e.getProblem().contains("TAB")
        ? "a tab where YAML allows none; indent with spaces"
        : "is not YAML: " + e.getProblem();
  }
}
