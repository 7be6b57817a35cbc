package dev.onejob.bench.peer;

import java.nio.file.Path;
import java.util.Objects;

/** The version of a library, as the name of its jar has it. */
public final class Versions {
  private static final String SUFFIX = ".jar";

  private Versions() {}

  /**
   * The version.
   *
   * @param type any class of the library
   * @param artifact its Maven name
   */
  public static String of(Class<?> type, String artifact) {
    String place = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    String jar = Objects.requireNonNull(Path.of(place).getFileName(), place).toString();
    if (!jar.startsWith(artifact + "-") || !jar.endsWith(SUFFIX)) {
      throw new IllegalStateException(jar + " is no jar of " + artifact);
    }
    return jar.substring(artifact.length() + 1, jar.length() - SUFFIX.length());
  }
}
