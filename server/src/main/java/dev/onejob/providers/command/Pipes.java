package dev.onejob.providers.command;

import dev.onejob.domain.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The three pipes of a running program, each with a thread of its own: a program may write before
 * it reads. They are platform threads, since reading a pipe would hold up a virtual one's carrier.
 */
final class Pipes {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int ERROR_TAIL_BYTES = 8 << 10;

  private final CompletableFuture<byte[]> output = new CompletableFuture<>();
  private final CompletableFuture<byte[]> errors = new CompletableFuture<>();
  private final CompletableFuture<Void> overflow = new CompletableFuture<>();

  private Pipes() {}

  /**
   * Starts to feed and to listen.
   *
   * @param handedOver is run when all of the input was taken
   */
  static Pipes open(Process process, byte[] input, Runnable handedOver) {
    Pipes pipes = new Pipes();
    String name = "command-" + process.pid();
    thread(name + "-in", () -> feed(process.getOutputStream(), input, handedOver));
    thread(name + "-out", () -> complete(pipes.output, () -> pipes.all(process.getInputStream())));
    thread(name + "-err", () -> complete(pipes.errors, () -> tail(process.getErrorStream())));
    return pipes;
  }

  /** All of standard output, once it has ended. Incomplete after an {@link #overflow}. */
  CompletableFuture<byte[]> output() {
    return output;
  }

  /** The last of standard error, once it has ended. */
  CompletableFuture<byte[]> errors() {
    return errors;
  }

  /** Completes when the output becomes larger than a result may be. */
  CompletableFuture<Void> overflow() {
    return overflow;
  }

  private static void thread(String name, Runnable work) {
    Thread.ofPlatform().daemon().name(name).start(work);
  }

  private static void feed(OutputStream out, byte[] input, Runnable handedOver) {
    try (out) {
      out.write(input);
      out.flush();
    } catch (IOException e) {
      return; // a program need not read its input; it was not handed over, and that is all
    }
    handedOver.run();
  }

  private interface Reading {
    byte[] read() throws IOException;
  }

  private static void complete(CompletableFuture<byte[]> future, Reading reading) {
    try {
      future.complete(reading.read());
    } catch (IOException e) {
      future.completeExceptionally(e);
    }
  }

  private byte[] all(InputStream in) throws IOException {
    byte[] read = in.readNBytes(Limits.RESULT_BYTES_MAX + 1);
    if (read.length > Limits.RESULT_BYTES_MAX) {
      overflow.complete(null);
      in.transferTo(OutputStream.nullOutputStream()); // lest it blocks before it hears its end
    }
    return read;
  }

  private static byte[] tail(InputStream in) throws IOException {
    ByteArrayOutputStream tail = new ByteArrayOutputStream(2 * ERROR_TAIL_BYTES);
    byte[] block = new byte[BLOCK_BYTES];
    for (int count = in.read(block); count >= 0; count = in.read(block)) {
      tail.write(block, 0, count);
      if (tail.size() > 2 * ERROR_TAIL_BYTES) {
        byte[] kept = last(tail.toByteArray());
        tail.reset();
        tail.writeBytes(kept);
      }
    }
    return last(tail.toByteArray());
  }

  private static byte[] last(byte[] bytes) {
    return Arrays.copyOfRange(bytes, Math.max(0, bytes.length - ERROR_TAIL_BYTES), bytes.length);
  }
}
