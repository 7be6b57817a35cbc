package dev.onejob.house;

import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;

/** How long a file, a line and a method may be. */
final class SizeRules {
  static final int FILE_LINES_MAX = 400;
  static final int LINE_COLUMNS_MAX = 100;
  static final int METHOD_LINES_MAX = 60;

  private SizeRules() {}

  static List<String> longFile(SourceFile source) {
    int lines = source.lines().size();
    return lines <= FILE_LINES_MAX ? List.of() : List.of("the file has " + lines + " lines");
  }

  static List<String> longLines(SourceFile source) {
    List<String> findings = new ArrayList<>();
    List<String> lines = source.lines();
    for (int i = 0; i < lines.size(); i++) {
      int columns = lines.get(i).codePointCount(0, lines.get(i).length());
      // An import cannot be broken, and the formatter lets it be.
      if (columns > LINE_COLUMNS_MAX && !lines.get(i).startsWith("import ")) {
        findings.add("line " + (i + 1) + ": " + columns + " columns");
      }
    }
    return findings;
  }

  static List<String> longMethods(SourceFile source) {
    List<String> findings = new ArrayList<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void nothing) {
        int lines = source.lastLine(method) - source.line(method) + 1;
        if (lines > METHOD_LINES_MAX) {
          findings.add(
              "line " + source.line(method) + ": " + method.getName() + " has " + lines + " lines");
        }
        return super.visitMethod(method, nothing);
      }
    }.scan(source.tree(), null);
    return findings;
  }
}
