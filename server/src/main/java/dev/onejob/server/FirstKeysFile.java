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

  static Path write(FirstKeys keys, Path dataFolder) {
    Path file = dataFolder.resolve(NAME).toAbsolutePath().normalize();
    ObjectNode document = JsonMapper.shared().createObjectNode();
    document.put("operator", keys.operator()).put("client", keys.client());
    try {
      Files.createDirectories(dataFolder);
      SecretFile.write(file, document.toPrettyString() + "\n");
      return file;
    } catch (IOException e) {
      // The keys are in the database by now and can be shown only once: better here than never.
      throw new StartFailure(
          "cannot write "
              + file
              + " ("
              + e
              + "); the first keys are: operator "
              + keys.operator()
              + ", client "
              + keys.client(),
          e);
    }
  }
}
