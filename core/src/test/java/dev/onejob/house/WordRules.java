package dev.onejob.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Words that may not stand in a source, in the name of a class, or in that of a package. */
final class WordRules {
  /** Rooms without a noun. */
  static final Set<String> PACKAGE_WORDS =
      Set.of("util", "utils", "common", "helper", "helpers", "manager", "impl", "base", "misc");

  private static final Set<String> CLASS_WORDS =
      Set.of(
          "Util",
          "Utils",
          "Utility",
          "Common",
          "Helper",
          "Helpers",
          "Manager",
          "Impl",
          "Base",
          "Abstract");
  private static final Set<String> LAST_WORDS =
      Set.of("Data", "Info", "Task", "Handler", "Processor", "Executor", "Wrapper");

  private static final Set<String> SKIPPING = Set.of("Disabled", "Ignore");
  private static final Pattern LEFT_OVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
  private static final Pattern WORD_STARTS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private WordRules() {}

  static List<String> leftOvers(SourceFile source) {
    List<String> findings = new ArrayList<>();
    List<String> lines = source.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (LEFT_OVER.matcher(lines.get(i)).find()) {
        findings.add("line " + (i + 1) + ": " + lines.get(i).strip());
      }
    }
    return findings;
  }

  static List<String> skippedTests(SourceFile source) {
    List<String> findings = new ArrayList<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitAnnotation(AnnotationTree annotation, Void nothing) {
        String type = annotation.getAnnotationType().toString();
        if (SKIPPING.contains(type.substring(type.lastIndexOf('.') + 1))) {
          findings.add("line " + source.line(annotation) + ": @" + type);
        }
        return super.visitAnnotation(annotation, nothing);
      }
    }.scan(source.tree(), null);
    return findings;
  }

  static List<String> classNames(SourceFile source) {
    List<String> findings = new ArrayList<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void nothing) {
        String name = type.getSimpleName().toString();
        List<String> words = List.of(WORD_STARTS.split(name));
        boolean banned = words.stream().anyMatch(CLASS_WORDS::contains);
        boolean hides = words.size() > 1 && LAST_WORDS.contains(words.getLast());
        if (banned || hides) {
          findings.add("line " + source.line(type) + ": class " + name);
        }
        return super.visitClass(type, nothing);
      }
    }.scan(source.tree(), null);
    return findings;
  }

  static List<String> packageName(SourceFile source) {
    return List.of(source.folder().split("/")).stream()
        .filter(PACKAGE_WORDS::contains)
        .map(word -> "a package named " + word)
        .toList();
  }
}
