package dev.onejob.document;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
      if (Files.size(file) > 4L * YamlDocument.FILE_CHARS_MAX) {
        throw ConfigException.of(
            name, 0, "is larger than " + YamlDocument.FILE_CHARS_MAX + " characters");
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw ConfigException.of(name, 0, "there is no such file");
    } catch (CharacterCodingException e) {
      throw ConfigException.of(name, 0, "is not text in UTF-8");
    } catch (IOException e) {
      throw ConfigException.of(name, 0, "cannot be read: " + e);
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
