package dev.onejob.server;

import dev.onejob.server.access.FirstKeys;
import dev.onejob.server.database.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code first-keys.json} in the data folder, from which the command line takes its keys. */
final class FirstKeysFile {
  private static final String NAME = "first-keys.json";

  private FirstKeysFile() {}

  static Path in(Path dataFolder) {
    return dataFolder.resolve(NAME).toAbsolutePath().normalize();
  }

  static void write(FirstKeys keys, Path file) {
    ObjectNode document = JsonMapper.shared().createObjectNode();
    document.put("operator", keys.operator()).put("client", keys.client());
    try {
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      SecretFile.write(file, document.toPrettyString() + "\n");
    } catch (IOException e) {
      throw new StartFailure(
          "cannot write "
              + file
              + " ("
              + e
              + "); no API keys were made, the next start tries again",
          e);
    }
  }
}
