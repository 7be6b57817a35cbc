package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who asks for pages, and never reads them. */
@Timeout(120)
class SlowReadersTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  /** More than a node shows pages at once. */
  private static final int LINES = 80;

  /** Together more than both systems take in for somebody who does not read. */
  private static final int PAGES = 150;

  /** Of files as many do. */
  private static final int FILES = 5;

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

    askAndNeverRead(LINES, PAGES, "/ui/login", "X-Nothing: here");

    assertThat(person.get("/ui").status()).isEqualTo(200);
    new UiClient(NODE.uri()).logIn(NODE.secret(Role.CLIENT, "reads"));
  }

  @Test
  void people_who_never_read_shut_no_page_of_others() throws Exception {
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiClient greedy = NODE.person(Role.CLIENT, "greedy");
    String input = "{\"text\":\"" + "x".repeat(200_000) + "\"}";
    String job = NODE.client(Role.CLIENT, "greedy").submit("k", "demo", input).at("/id");

    askAndNeverRead(LINES, FILES, "/ui/jobs/" + job + "/input", cookie(greedy));

    assertThat(operator.get("/ui").status()).isEqualTo(200);
    assertThat(operator.get("/ui/configuration").status()).isEqualTo(200);
  }

  @Test
  void a_key_takes_two_large_answers_at_once_and_its_pages_go_on() throws Exception {
    ApiClient client = NODE.client(Role.CLIENT, "large");
    String input = "{\"text\":\"" + "x".repeat(1_000_000) + "\"}";
    String job = client.submit("large", "demo", input).at("/id");
    UiClient person = NODE.person(Role.CLIENT, "large");
    String path = "/ui/jobs/" + job + "/input";
    askAndNeverRead(2, FILES, path, cookie(person));
    for (Socket each : lines) {
      byte[] begin = each.getInputStream().readNBytes(15);
      assertThat(new String(begin, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200 OK");
    }

    assertThat(person.get(path).status()).isEqualTo(503);
    assertThat(person.get(path).text("main")).contains("Too many answers are on their way");
    assertThat(person.get(path).header("Content-Disposition")).isEmpty();
    assertThat(person.get("/ui").status()).isEqualTo(200);
    UiClient other = NODE.person(Role.OPERATOR, "house");
    assertThat(other.get(path).body()).isEqualTo(input);
  }

  private static String cookie(UiClient person) {
    return "Cookie: onejob=" + person.cookies().get("onejob");
  }

  /** Many requests over each line, so that the answers cannot go into anybody's buffers. */
  private void askAndNeverRead(int count, int requests, String path, String header)
      throws IOException {
    URI node = NODE.uri();
    String request =
        "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n".formatted(path, node.getAuthority(), header);
    byte[] all = request.repeat(requests).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      Socket line = new Socket();
      lines.add(line);
      line.setReceiveBufferSize(4 << 10);
      line.connect(new InetSocketAddress(node.getHost(), node.getPort()));
      line.getOutputStream().write(all);
      line.getOutputStream().flush();
    }
  }
}
