package dev.onejob.server.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FileGiverTest {
  private static final byte[] FILE = new byte[16 << 20];

  private final CompletableFuture<String> end = new CompletableFuture<>();
  private Javalin javalin = Javalin.create();

  @AfterEach
  void close() {
    javalin.stop();
  }

  private Socket asked(Duration most) throws IOException {
    javalin =
        Javalin.create(
                config -> {
                  config.concurrency.useVirtualThreads = true;
                  config.startup.showJavalinBanner = false;
                  config.routes.get(
                      "/",
                      ctx -> {
                        try {
                          FileGiver.give(ctx, Download.text("x.txt", FILE), most);
                          end.complete("sent");
                        } catch (IOException e) {
                          end.complete("cut");
                        }
                      });
                })
            .start("127.0.0.1", 0);
    Socket line = new Socket();
    line.setReceiveBufferSize(4 << 10);
    line.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), javalin.port()));
    line.getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return line;
  }

  @Test
  void the_line_of_whoever_takes_a_file_too_slowly_is_cut_though_bytes_trickle() throws Exception {
    try (Socket line = asked(Duration.ofSeconds(1))) {
      InputStream in = line.getInputStream();
      while (!end.isDone() && in.read() >= 0) { // a byte now and then
        Thread.onSpinWait();
      }

      assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo("cut");
      assertThat(takenToTheEnd(in)).isLessThan(FILE.length);
    }
  }

  @Test
  void whoever_takes_it_in_time_has_all_of_it_and_keeps_the_line() throws Exception {
    try (Socket line = asked(Duration.ofSeconds(60))) {
      InputStream in = line.getInputStream();
      String head = head(in);

      assertThat(head)
          .contains("Content-Length: " + FILE.length, "filename=\"x.txt\"", "nosniff", "no-store");
      assertThat(in.readNBytes(FILE.length)).isEqualTo(FILE);
      assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo("sent");
      line.getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(head(in)).startsWith("HTTP/1.1 200");
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      assertThat(next).isNotNegative();
      head.write(next);
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  private static long takenToTheEnd(InputStream in) {
    long taken = 0;
    try {
      for (int read = 0; read >= 0; taken += Math.max(0, read)) {
        read = in.read(new byte[8 << 10]);
      }
    } catch (IOException e) {
      return taken; // reset by the other end
    }
    return taken;
  }
}
