package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import dev.onejob.server.testing.UiPage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers who send forms and never come to an end. */
@Timeout(120)
class SlowFormsTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  /** More than a node shows pages at once. */
  private static final int LINES = 80;

  private final List<Socket> lines = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (Socket each : lines) {
      each.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ui/login", "/ui/logout", "/ui/jobs/x/cancel"})
  void strangers_with_forms_that_do_not_end_keep_nobody_out(String path) throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "let-in");
    for (int i = 0; i < LINES; i++) {
      Socket line = begin(path);
      line.getOutputStream().write('k');
      line.getOutputStream().flush();
    }

    assertThat(person.get("/ui").status()).isEqualTo(200);
    new UiClient(NODE.uri()).logIn(NODE.secret(Role.CLIENT, "let-in"));
  }

  @Test
  void nothing_is_read_of_a_log_out_without_a_session() throws Exception {
    Socket line = begin("/ui/logout");

    assertThat(firstLine(line)).contains(" 303 ");
  }

  @Test
  void a_form_that_comes_when_its_key_was_withdrawn_does_nothing() throws Exception {
    ApiClient client = NODE.client(Role.CLIENT, "late");
    String hang = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
    String job = client.submit("late", "demo", hang).at("/id");
    NewKey key = NODE.keys().create("late", Role.CLIENT, new Owner("late"));
    UiClient person = new UiClient(NODE.uri());
    person.logIn(key.secret());
    String csrf = person.get("/ui").document().select("input[name=csrf]").attr("value");
    String form = "csrf=" + csrf;
    String cookie = "Cookie: onejob=" + person.cookies().get("onejob");
    Socket line = begin("/ui/jobs/" + job + "/cancel", form.length(), cookie);
    line.getOutputStream().write(form.substring(0, 5).getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();
    assertThat(person.get("/ui").status()).isEqualTo(200);

    NODE.withdraw(key);
    line.getOutputStream().write(form.substring(5).getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();

    assertThat(firstLine(line)).contains(" 303 ");
    assertThat(client.get("/v1/jobs/" + job).at("/cancel_requested_at")).isIn("", "null");
  }

  @Test
  void a_key_whose_forms_never_end_keeps_nobody_from_pressing_and_can_be_logged_out()
      throws Exception {
    String hang = "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}";
    String job = NODE.client(Role.CLIENT, "pressed").submit("p", "demo", hang).at("/id");
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiClient greedy = NODE.person(Role.CLIENT, "pressed");
    UiPage page = greedy.get("/ui");
    String cookie = "Cookie: onejob=" + greedy.cookies().get("onejob");
    for (int i = 0; i < LINES; i++) {
      Socket line = begin("/ui/jobs/" + job + "/cancel", 10_000, cookie);
      line.getOutputStream().write('k');
      line.getOutputStream().flush();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> greedy.send("/ui/jobs/x/cancel", ours(), Map.of()).status() == 503);

    await() // the job may move between the page and the press: then it is shown anew
        .atMost(Duration.ofSeconds(60))
        .until(() -> cancelled(operator, job));
    assertThat(greedy.press(page, "form.who", Map.of()).header("Location")).isEqualTo("/ui/login");
    assertThat(greedy.cookies()).isEmpty();
  }

  private static boolean cancelled(UiClient person, String job) throws Exception {
    UiPage pressed = person.press(person.get("/ui/jobs/" + job), "#cancel", Map.of());
    assertThat(pressed.status()).isIn(303, 409);
    return pressed.status() == 303;
  }

  @Test
  void a_large_form_is_read_of_operators_with_a_result_alone_and_else_refused_by_its_length() {
    String nothing = "/ui/jobs/job_01K00000000000000000000000/";
    UiClient operator = NODE.person(Role.OPERATOR, "house");
    UiClient client = NODE.person(Role.CLIENT, "shop");
    Map<String, String> fields =
        Map.of(
            "csrf",
            operator.get("/ui").document().select("input[name=csrf]").attr("value"),
            "attempt",
            "att_01K00000000000000000000000",
            "result",
            "x".repeat(100_000));

    assertThat(operator.send(nothing + "resolution", ours(), fields).status()).isEqualTo(404);
    assertThat(operator.send(nothing + "cancel", ours(), fields).status()).isEqualTo(413);
    assertThat(client.send(nothing + "resolution", ours(), fields).status()).isEqualTo(413);
    assertThat(client.send("/ui/logout", ours(), fields).status()).isEqualTo(413);
    assertThat(client.get("/ui").status()).isEqualTo(200);
  }

  private static Map<String, String> ours() {
    return Map.of("Origin", NODE.uri().toString());
  }

  private Socket begin(String path) throws IOException {
    return begin(path, 10_000, "X-Nothing: here");
  }

  private Socket begin(String path, int length, String header) throws IOException {
    URI node = NODE.uri();
    Socket line = new Socket(node.getHost(), node.getPort());
    lines.add(line);
    String head =
        """
        POST %s HTTP/1.1
        Host: %s
        Origin: %s
        Content-Type: application/x-www-form-urlencoded
        Content-Length: %d
        %s

        """
            .formatted(path, node.getAuthority(), node, length, header);
    line.getOutputStream().write(head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
    line.getOutputStream().flush();
    return line;
  }

  private static String firstLine(Socket line) throws IOException {
    return reader(line).readLine();
  }

  private static BufferedReader reader(Socket line) throws IOException {
    return new BufferedReader(
        new InputStreamReader(line.getInputStream(), StandardCharsets.US_ASCII));
  }
}
