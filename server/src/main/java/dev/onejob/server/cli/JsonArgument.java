package dev.onejob.server.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** JSON given on the command line: itself, {@code @file}, or {@code -} for stdin. */
final class JsonArgument {
  /** More than any service takes; reading stops here instead of filling the memory. */
  private static final int BYTES_MAX = 64 << 20;

  private JsonArgument() {}

  /**
   * The text, exactly as given.
   *
   * @param option named in complaints
   */
  static String read(String option, String argument, Terminal terminal) {
    String text = text(option, bytes(option, argument, terminal));
    checkOneValue(option, text);
    return text;
  }

  private static byte[] bytes(String option, String argument, Terminal terminal) {
    try {
      if (argument.equals("-")) {
        return terminal.in().readNBytes(BYTES_MAX);
      }
      return argument.startsWith("@")
          ? Files.readAllBytes(terminal.folder().resolve(argument.substring(1)))
          : argument.getBytes(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CliFailure.usage(option + ": cannot read " + argument + ": " + e);
    }
  }

  private static String text(String option, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CliFailure.usage(option + ": is not UTF-8");
    }
  }

  /** The text is put into a document as it is, so it must be one value and nothing else. */
  private static void checkOneValue(String option, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (JsonParser parser =
        new JsonFactory()
            .createParser(ObjectReadContext.empty(), new ByteArrayInputStream(bytes))) {
      int values = 0;
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        values += depth == 0 ? 1 : 0;
      }
      if (values != 1) {
        throw CliFailure.usage(option + ": expected one JSON value, got " + values);
      }
    } catch (JacksonException e) {
      throw CliFailure.usage(
          option
              + ": is not JSON, at line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + ": "
              + e.getOriginalMessage());
    }
  }
}
