package dev.onejob.server.ui.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.http.problem.ProblemException;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines of whoever is too slow, with less patience than usual. */
@Timeout(120)
class LineTest {
  /** More than all buffers on the way. */
  private static final int BYTES = 16 << 20;

  private static final BlockingQueue<String> ENDS = new LinkedBlockingQueue<>();
  private static Javalin server;

  @BeforeAll
  static void open() {
    AnswerGiver hasty = new AnswerGiver(Duration.ofMillis(500), 1 << 30);
    AnswerGiver patient = new AnswerGiver(Duration.ofMinutes(1), 1 << 30);
    server =
        Javalin.create(
                config -> {
                  config.concurrency.useVirtualThreads = true;
                  config.startup.showJavalinBanner = false;
                  config.routes.get("/hasty", ctx -> give(hasty, ctx));
                  config.routes.get("/patient", ctx -> give(patient, ctx));
                  config.routes.post(
                      "/form",
                      ctx -> {
                        try {
                          Form.read(ctx.req(), 1_000, Duration.ofMillis(300));
                          ENDS.add("read");
                        } catch (ProblemException e) {
                          ENDS.add("refused");
                          ctx.status(e.problem().type().status());
                        }
                      });
                })
            .start("localhost", 0);
  }

  private static void give(AnswerGiver giver, Context ctx) throws Exception {
    AnswerGiver.keep(ctx, new byte[BYTES]);
    try {
      giver.give(ctx, null);
      ENDS.add("given");
    } catch (IOException e) {
      ENDS.add("cut");
    }
  }

  @AfterAll
  static void close() {
    server.stop();
  }

  @Test
  void who_takes_an_answer_byte_by_byte_is_cut_off_and_holds_nothing_any_more() throws Exception {
    try (Socket line = ask("GET /hasty HTTP/1.1\r\nHost: x\r\n\r\n")) {
      String end = null;
      while (end == null) {
        line.getInputStream().read();
        end = ENDS.poll(10, TimeUnit.MILLISECONDS);
      }
      assertThat(end).isEqualTo("cut");
    }
  }

  @Test
  void who_takes_it_in_time_gets_all_of_it() throws Exception {
    try (Socket line = ask("GET /patient HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
      assertThat(line.getInputStream().readAllBytes().length).isGreaterThan(BYTES);
      assertThat(ENDS.poll(60, TimeUnit.SECONDS)).isEqualTo("given");
    }
  }

  @Test
  void a_form_of_which_nothing_more_comes_is_given_up_and_its_sender_told() throws Exception {
    String head = "POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n";
    String type = "Content-Type: application/x-www-form-urlencoded\r\n\r\n";
    try (Socket line = ask(head + type + "k=")) {
      byte[] first = line.getInputStream().readNBytes(12);
      assertThat(new String(first, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 408");
      assertThat(ENDS.poll(60, TimeUnit.SECONDS)).isEqualTo("refused");
    }
  }

  private static Socket ask(String request) throws IOException {
    Socket line = new Socket();
    line.setReceiveBufferSize(4 << 10);
    line.connect(new InetSocketAddress("localhost", server.port()));
    line.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();
    return line;
  }
}
