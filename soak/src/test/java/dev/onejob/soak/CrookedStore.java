package dev.onejob.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Our own copies of the store's statements with a condition taken out, compiled into a folder that
 * goes before the store on the class path of the nodes. The product has no switch for it.
 */
final class CrookedStore {
  private static final Path STORE =
      Path.of("../core/src/main/java/dev/onejob/store").toAbsolutePath().normalize();

  private CrookedStore() {}

  /** {@code START} starts whatever it is asked to start. */
  static Path withoutTheStartGuard(Path folder) throws IOException {
    String source = Files.readString(STORE.resolve("Claims.java"));
    int guard = source.indexOf("AND j.state = 'queued'");
    int end = source.indexOf("RETURNING", guard);
    if (guard < 0 || end < 0) {
      throw new IllegalStateException("the start guard is written otherwise now");
    }
    return compiled(folder, "Claims", source.substring(0, guard) + source.substring(end));
  }

  /** {@code CLAIM_SLOT} asks neither for the version nor whether the attempt lives. */
  static Path withoutTheVersionInTheSwap(Path folder) throws IOException {
    String source = Files.readString(STORE.resolve("Settlements.java"));
    source = without(source, "AND j.version = f.version");
    source = without(source, "AND a.state IN ('starting', 'running', 'unknown')");
    return compiled(folder, "Settlements", source);
  }

  private static String without(String source, String condition) {
    if (source.split(Pattern.quote(condition), -1).length != 2) {
      throw new IllegalStateException("not exactly once in the statement: " + condition);
    }
    return source.replace(condition, "");
  }

  private static Path compiled(Path folder, String name, String source) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-proc:none", "-d", classes.toString(), "-cp", Ground.ownClassPath());
      if (!compiler
          .getTask(null, files, null, options, null, files.getJavaFileObjects(file))
          .call()) {
        throw new IllegalStateException(name + " does not compile without its condition");
      }
    }
    return classes;
  }
}
