package dev.onejob.server.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One service per data folder. The kernel takes the lock back when its holder dies. */
final class FolderLock implements AutoCloseable {
  private static final String FILE = "lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  static FolderLock take(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locks(channel)) {
        channel.close();
        throw new DatabaseException(
            "the data folder "
                + folder
                + " is in use by another onejob service (process "
                + Files.readString(file).strip()
                + "); stop it, or choose another folder with --data");
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(pid().getBytes(StandardCharsets.UTF_8)));
      return new FolderLock(channel);
    } catch (IOException e) {
      throw new DatabaseException("the data folder " + folder + " cannot be used: " + e, e);
    }
  }

  private static boolean locks(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held within this very process
    }
  }

  private static String pid() {
    return ProcessHandle.current().pid() + "\n";
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new DatabaseException("cannot let go of the data folder: " + e, e);
    }
  }
}
