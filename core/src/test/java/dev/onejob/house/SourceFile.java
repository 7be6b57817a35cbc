package dev.onejob.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * One Java source, as text and as the compiler's tree.
 *
 * @param path from the root of the repository, with slashes
 */
record SourceFile(String path, String text, CompilationUnitTree tree, SourcePositions positions) {

  static SourceFile parse(String path, String text) {
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(
                    null, null, problems, List.of("-proc:none"), null, List.of(new Text(text)));
    try {
      CompilationUnitTree tree = task.parse().iterator().next();
      for (Diagnostic<?> problem : problems.getDiagnostics()) {
        if (problem.getKind() == Diagnostic.Kind.ERROR) {
          throw new IllegalArgumentException(path + " does not parse: " + problem);
        }
      }
      return new SourceFile(path, text, tree, Trees.instance(task).getSourcePositions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isMain() {
    return path.contains("/src/main/");
  }

  boolean isTest() {
    return path.contains("/src/test/");
  }

  boolean isMainOf(String module) {
    return path.startsWith(module + "/src/main/");
  }

  /** The package by its folder, so that it can be compared with what the file says. */
  String folder() {
    return path.substring(0, path.lastIndexOf('/'));
  }

  String className() {
    return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
  }

  List<String> lines() {
    return text.lines().toList();
  }

  int line(Tree node) {
    return (int) tree.getLineMap().getLineNumber(positions.getStartPosition(tree, node));
  }

  int lastLine(Tree node) {
    return (int) tree.getLineMap().getLineNumber(positions.getEndPosition(tree, node));
  }

  String textOf(Tree node) {
    return text.substring(
        (int) positions.getStartPosition(tree, node), (int) positions.getEndPosition(tree, node));
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String content;

    Text(String content) {
      super(URI.create("string:///Source.java"), Kind.SOURCE);
      this.content = content;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return content;
    }
  }
}
