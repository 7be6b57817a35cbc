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

  /**
   * {@code CLAIM_SLOT} asks neither for the version nor whether the attempt lives, and no claim of
   * a slot begins while a session holds {@link ForcedAbandon#HOLD} for its job. Until then it holds
   * no lock: the job can be moved by others.
   */
  static Path withoutTheVersionInTheSwap(Path folder) throws IOException {
    String swap = Files.readString(STORE.resolve("Settlements.java"));
    swap = without(swap, "AND j.version = f.version");
    swap = without(swap, "AND a.state IN ('starting', 'running', 'unknown')");
    compiled(folder, "Settlements", swap);
    String flight = Files.readString(STORE.resolve("ShortWay.java"));
    String first = "List<String> before = new ArrayList<>(List.of(SETTINGS));";
    flight = replaced(flight, first, first + WAIT);
    return compiled(folder, "ShortWay", flight);
  }

  /** Ahead of the settings, so that the wait is not bounded by the lock timeout. */
  private static final String WAIT =
      """

          if (!claims.isEmpty()) {
            params.column("held_back", "uuid", claims, r -> r.job().uuid());
            before.addFirst("SELECT pg_advisory_xact_lock_shared(hashtextextended(h.id::text, 0)) \
      FROM unnest(:held_back::uuid[]) AS h (id)");
          }
      """;

  private static String without(String source, String condition) {
    return replaced(source, condition, "");
  }

  private static String replaced(String source, String text, String by) {
    if (source.split(Pattern.quote(text), -1).length != 2) {
      throw new IllegalStateException("not exactly once in the store: " + text);
    }
    return source.replace(text, by);
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
