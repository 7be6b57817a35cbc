package dev.onejob.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Every Java source of every module of the repository that this test runs in. */
final class SourceTree {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
  private static final List<SourceFile> ALL = read();

  private SourceTree() {}

  static List<SourceFile> all() {
    return ALL;
  }

  private static List<SourceFile> read() {
    List<SourceFile> sources = new ArrayList<>();
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module.resolve("src"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String path = ROOT.relativize(file).toString().replace('\\', '/');
          sources.add(SourceFile.parse(path, Files.readString(file)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return List.copyOf(sources);
  }

  private static List<Path> modules() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")))
          .filter(folder -> Files.isDirectory(folder.resolve("src")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
