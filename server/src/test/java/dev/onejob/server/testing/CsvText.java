package dev.onejob.server.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of CSV that takes nothing but RFC 4180 to the letter, with CRLF after every line. */
public final class CsvText {
  private final String text;
  private int at;

  private CsvText(String text) {
    this.text = text;
  }

  /** The lines below the first one, each by the names in it. */
  public static List<Map<String, String>> read(String text) {
    CsvText csv = new CsvText(text);
    List<String> names = csv.line();
    List<Map<String, String>> lines = new ArrayList<>();
    while (csv.at < text.length()) {
      List<String> cells = csv.line();
      if (cells.size() != names.size()) {
        throw new AssertionError("cells are missing, or too many: " + cells);
      }
      Map<String, String> line = new LinkedHashMap<>();
      for (int i = 0; i < cells.size(); i++) {
        line.put(names.get(i), cells.get(i));
      }
      lines.add(line);
    }
    return lines;
  }

  private List<String> line() {
    List<String> cells = new ArrayList<>();
    do {
      cells.add(text.startsWith("\"", at) ? quoted() : bare());
    } while (takes(","));
    if (!takes("\r\n")) {
      throw wrong("no CRLF");
    }
    return cells;
  }

  private String quoted() {
    StringBuilder cell = new StringBuilder();
    at++;
    while (true) {
      int quote = text.indexOf('"', at);
      if (quote < 0) {
        throw wrong("no end of quotes");
      }
      cell.append(text, at, quote);
      at = quote + 1;
      if (!takes("\"")) {
        return cell.toString();
      }
      cell.append('"');
    }
  }

  private String bare() {
    int begin = at;
    while (at < text.length() && ",\r\n\"".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(begin, at);
  }

  private boolean takes(String next) {
    boolean there = text.startsWith(next, at);
    at += there ? next.length() : 0;
    return there;
  }

  private AssertionError wrong(String what) {
    return new AssertionError(what + " at " + at + " of\n" + text);
  }
}
