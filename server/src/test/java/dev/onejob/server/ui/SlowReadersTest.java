package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who asks for pages, and never reads them. */
@Timeout(120)
class SlowReadersTest {
  private static final Logger LOG = LoggerFactory.getLogger(SlowReadersTest.class);

  @RegisterExtension static final UiNode NODE = new UiNode();

  /** More than a node shows pages at once. */
  private static final int LINES = 70;

  /** Together more than both systems take in for somebody who does not read. */
  private static final int LINE_BYTES = 4 << 20;

  private final List<Socket> lines = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (Socket each : lines) {
      each.setSoLinger(true, 0);
      each.close();
    }
  }

  @Test
  void strangers_who_never_read_shut_no_page() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "reads");
    String next = "/ui?" + "%26".repeat(1_990); // each stands in the page as five characters

    askAndNeverRead(LINES, "/ui/login?next=" + next, 10_000, "X-Nothing: here");

    for (int i = 0; i < 10; i++) {
      assertThat(person.get("/ui").status()).isEqualTo(200);
    }
    new UiClient(NODE.uri()).logIn(NODE.secret(Role.CLIENT, "reads"));
  }

  @Test
  void people_who_never_read_shut_no_page_of_others() throws Exception {
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiClient greedy = NODE.person(Role.CLIENT, "greedy");
    String path = inputOf("greedy", 250_000);

    askAndNeverRead(LINES, path, 250_000, cookie(greedy));

    for (int i = 0; i < 10; i++) {
      assertThat(operator.get("/ui/configuration").status()).isEqualTo(200);
    }
  }

  @Test
  void a_key_takes_two_large_answers_at_once_and_its_pages_go_on() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "large");
    String path = inputOf("large", 1_000_000);

    askAndNeverRead(2, path, 1_000_000, cookie(person));

    await().atMost(Duration.ofSeconds(60)).until(() -> person.get(path).status() == 503);
    UiPage refused = person.get(path);
    assertThat(refused.text("main")).contains("Too many answers are on their way");
    assertThat(refused.header("Content-Disposition")).isEmpty();
    assertThat(person.get("/ui").status()).isEqualTo(200);
    assertThat(NODE.person(Role.OPERATOR, "house").get(path).body()).hasSize(1_000_011);
  }

  /** The address of an input of that size, and a little. */
  private static String inputOf(String owner, int chars) {
    String input = "{\"text\":\"" + "x".repeat(chars) + "\"}";
    String job = NODE.client(Role.CLIENT, owner).submit("large", "demo", input).at("/id");
    return "/ui/jobs/" + job + "/input";
  }

  private static String cookie(UiClient person) {
    return "Cookie: onejob=" + person.cookies().get("onejob");
  }

  /** Asks until the answers can go into nobody's buffers, and waits until each line has some. */
  private void askAndNeverRead(int count, String path, int answerBytes, String header)
      throws IOException {
    URI node = NODE.uri();
    byte[] request =
        "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n"
            .formatted(path, node.getAuthority(), header)
            .getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      Socket line = new Socket();
      lines.add(line);
      line.setReceiveBufferSize(4 << 10);
      line.connect(new InetSocketAddress(node.getHost(), node.getPort()));
      Thread.startVirtualThread(() -> ask(line, request, LINE_BYTES / answerBytes));
    }
    for (Socket each : lines) {
      assertThat(each.getInputStream().read()).isEqualTo('H');
    }
  }

  /** The node reads no request before it has given the answer to the last one. */
  private static void ask(Socket line, byte[] request, int times) {
    try {
      for (int i = 0; i < times; i++) {
        line.getOutputStream().write(request);
        line.getOutputStream().flush();
      }
    } catch (IOException e) {
      LOG.debug("the line was closed, by the test or by the node", e);
    }
  }
}
