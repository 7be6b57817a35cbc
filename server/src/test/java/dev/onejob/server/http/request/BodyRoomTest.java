package dev.onejob.server.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.http.problem.ProblemException;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BodyRoomTest {
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  /** Largest body of the server below, which has room for four. */
  private static final int MOST = 100_000;

  private static Javalin server;

  @BeforeAll
  static void open() {
    BodyRoom room = new BodyRoom(4 * MOST, Duration.ofMillis(200));
    server =
        Javalin.create(
                config -> {
                  config.concurrency.useVirtualThreads = true;
                  config.startup.showJavalinBanner = false;
                  config.routes.post("/{caller}", ctx -> read(ctx, room));
                })
            .start("localhost", 0);
  }

  private static void read(Context ctx, BodyRoom room) throws IOException {
    RequestBody.sentBy(ctx.req(), new UUID(1, ctx.pathParam("caller").hashCode()));
    try {
      byte[] body = RequestBody.bytes(ctx.req(), MOST, room);
      ctx.result("read " + body.length);
    } catch (ProblemException e) {
      ctx.status(e.problem().type().status());
    }
  }

  @AfterAll
  static void close() {
    server.stop();
  }

  @Test
  void bodies_that_never_end_take_the_share_of_their_caller_and_no_small_ones() throws Exception {
    List<Socket> lines = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        Socket line = begin("greedy", MOST);
        lines.add(line);
        write(line, "x".repeat(MOST - 1));
      }

      await().atMost(Duration.ofSeconds(60)).until(() -> status("greedy", MOST).equals("503"));
      assertThat(answer("greedy", RequestBody.SMALL_BYTES)).endsWith("read 16384");
      assertThat(answer("other", MOST)).endsWith("read 100000");
      assertThat(status("other", MOST + 1)).isEqualTo("413");
      write(lines.getFirst(), "x");
      assertThat(rest(lines.getFirst())).endsWith("read 100000");
      assertThat(answer("greedy", MOST)).endsWith("read 100000");
    } finally {
      for (Socket each : lines) {
        each.close();
      }
    }
  }

  @Test
  void a_body_that_does_not_say_how_long_it_is_is_read_whole_or_refused() throws Exception {
    for (int bytes : new int[] {0, 5, RequestBody.SMALL_BYTES, MOST, MOST + 1}) {
      try (Socket line = line()) {
        write(line, "POST /chunks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        write(line, "Transfer-Encoding: chunked\r\n\r\n");
        if (bytes > 0) {
          write(line, Integer.toHexString(bytes) + "\r\n" + "x".repeat(bytes) + "\r\n");
        }
        write(line, "0\r\n\r\n");
        assertThat(rest(line)).contains(bytes > MOST ? "HTTP/1.1 413" : "read " + bytes);
      }
    }
  }

  @Test
  void who_comes_when_there_is_no_room_waits_for_it() throws Exception {
    BodyRoom room = new BodyRoom(100, Duration.ofMinutes(1));
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<byte[]> first =
        CompletableFuture.supplyAsync(
            () ->
                during(
                    room,
                    () -> {
                      begun.countDown();
                      waitFor(end);
                      return new byte[] {1};
                    }));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<byte[]> second =
        CompletableFuture.supplyAsync(() -> during(room, () -> new byte[] {2}));
    assertThat(room.during(OTHER, 50, () -> new byte[] {3})).containsExactly(3);

    end.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS)).containsExactly(1);
    assertThat(second.get(30, TimeUnit.SECONDS)).containsExactly(2);
  }

  @Test
  void what_cannot_be_read_leaves_its_room() {
    BodyRoom room = new BodyRoom(100, Duration.ZERO);
    BodyRoom.Reading broken =
        () -> {
          throw new IOException("broken off");
        };
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> room.during(ONE, 50, broken)).hasMessage("broken off");
    }
  }

  private static byte[] during(BodyRoom room, BodyRoom.Reading reading) {
    try {
      return room.during(ONE, 50, reading);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of a request of which no body is sent; empty while one is waited for. */
  private static String status(String caller, int bytes) throws IOException {
    try (Socket line = begin(caller, bytes)) {
      line.setSoTimeout(2_000);
      byte[] first = line.getInputStream().readNBytes(12);
      return new String(first, StandardCharsets.US_ASCII).substring(9);
    } catch (SocketTimeoutException e) {
      return "";
    }
  }

  private static String answer(String caller, int bytes) throws IOException {
    try (Socket line = begin(caller, bytes)) {
      write(line, "x".repeat(bytes));
      return rest(line);
    }
  }

  private static Socket begin(String caller, int bytes) throws IOException {
    Socket line = line();
    write(line, "POST /" + caller + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
    write(line, "Content-Length: " + bytes + "\r\n\r\n");
    return line;
  }

  private static Socket line() throws IOException {
    return new Socket("localhost", server.port());
  }

  private static void write(Socket line, String text) throws IOException {
    line.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();
  }

  private static String rest(Socket line) throws IOException {
    return new String(line.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }
}
