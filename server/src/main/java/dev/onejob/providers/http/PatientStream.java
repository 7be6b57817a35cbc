package dev.onejob.providers.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The bytes of one answer, waited for no longer than {@link Timeouts} allow. */
final class PatientStream extends FilterInputStream {
  private final Socket socket;
  private final Timeouts timeouts;
  private boolean begun;

  /** Listens from now on. */
  PatientStream(Socket socket, Timeouts timeouts) throws IOException {
    super(socket.getInputStream());
    this.socket = socket;
    this.timeouts = timeouts;
    bound(timeouts.firstByte());
  }

  /** An answer did not begin, or not go on, in time. */
  static final class Expired extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean begun;

    Expired(boolean begun, SocketTimeoutException cause) {
      super(begun ? "nothing more came in time" : "no first byte came in time", cause);
      this.begun = begun;
    }

    /** Which of the two. */
    String code() {
      return begun ? OnePost.SILENCE_TIMEOUT : OnePost.FIRST_BYTE_TIMEOUT;
    }
  }

  private void bound(@Nullable Duration timeout) throws IOException {
    socket.setSoTimeout(timeout == null ? 0 : (int) timeout.toMillis());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    try {
      int count = in.read(to, offset, length);
      if (!begun) {
        begun = true;
        bound(timeouts.silence());
      }
      return count;
    } catch (SocketTimeoutException e) {
      throw new Expired(begun, e);
    }
  }
}
