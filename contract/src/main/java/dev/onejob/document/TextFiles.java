package dev.onejob.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** Reads files that operators name. */
public final class TextFiles {
  private TextFiles() {}

  /**
   * The text of a file.
   *
   * @param name as the operator wrote it, for messages
   * @throws ConfigException if it cannot be read
   */
  public static String text(String name, Path file) {
    try {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(name);
      }
      if (!Files.isRegularFile(file)) { // a device or pipe has no end, or none that is told
        throw ConfigException.of(name, 0, "is no regular file");
      }
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes(name, file)))
          .toString();
    } catch (NoSuchFileException e) {
      throw ConfigException.of(name, 0, "there is no such file");
    } catch (CharacterCodingException e) {
      throw ConfigException.of(name, 0, "is not text in UTF-8");
    } catch (IOException e) {
      throw ConfigException.of(name, 0, "cannot be read: " + e);
    }
  }

  /** The length that a file tells may be no longer true, or never was. */
  private static byte[] bytes(String name, Path file) throws IOException {
    int most = 4 * YamlDocument.FILE_CHARS_MAX;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw ConfigException.of(
            name, 0, "is larger than " + YamlDocument.FILE_CHARS_MAX + " characters");
      }
      return bytes;
    }
  }

  /**
   * A file that lies in a folder or below it, whatever links there are on the way.
   *
   * @param name as a document names it, relative to the folder
   * @throws ConfigException if it is named otherwise, lies elsewhere or cannot be found
   */
  public static Path below(String shown, Path folder, String name) {
    try {
      Path file = folder.resolve(name);
      if (Path.of(name).isAbsolute() || !file.normalize().startsWith(folder.normalize())) {
        throw ConfigException.of(shown, 0, "lies outside of the folder of the contract");
      }
      if (!file.toRealPath().startsWith(folder.toRealPath())) {
        throw ConfigException.of(shown, 0, "lies outside of the folder of the contract");
      }
      return file;
    } catch (NoSuchFileException e) {
      throw ConfigException.of(shown, 0, "there is no such file");
    } catch (IOException | InvalidPathException e) {
      throw ConfigException.of(shown, 0, "cannot be read: " + e);
    }
  }

  /**
   * The document in a file: JSON where its name ends so, else YAML.
   *
   * @param expected what it holds, for a message about one that holds nothing
   * @throws ConfigException if it cannot be read
   */
  public static YamlDocument document(String name, Path file, String expected) {
    String text = text(name, file);
    return name.toLowerCase(Locale.ROOT).endsWith(".json")
        ? JsonText.read(name, text)
        : YamlDocument.read(name, text, expected);
  }
}
