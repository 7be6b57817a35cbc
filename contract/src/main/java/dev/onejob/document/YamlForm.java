package dev.onejob.document;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Refuses what a configuration has no need of before anything is built from it: several documents,
 * anchors (a few lines of which can stand for gigabytes) and deep nesting. Reading events is not
 * recursive and keeps nothing.
 */
final class YamlForm {
  /** A schema takes two levels for each of the document that it describes. */
  static final int DEPTH_MAX = 64;

  private final String file;
  private int documents;
  private int depth;

  private YamlForm(String file) {
    this.file = file;
  }

  static void check(String file, String text, LoadSettings settings) {
    YamlForm form = new YamlForm(file);
    for (Event event : new Parse(settings).parseString(text)) {
      form.check(event);
    }
  }

  private void check(Event event) {
    int line = event.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    if (event instanceof DocumentStartEvent && ++documents > 1) {
      throw ConfigException.of(file, line, "a second document; expected one");
    }
    if (event instanceof AliasEvent || anchored(event)) {
      throw ConfigException.of(file, line, "anchors and aliases (& and *) are not supported");
    }
    if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
      throw ConfigException.of(file, line, "nested deeper than " + DEPTH_MAX + " levels");
    }
    if (event instanceof CollectionEndEvent) {
      depth--;
    }
  }

  private static boolean anchored(Event event) {
    return event instanceof NodeEvent node && !node.getAnchor().equals(Optional.empty());
  }
}
