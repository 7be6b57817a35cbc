package dev.onejob.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.UiClient;
import dev.onejob.server.testing.UiNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class LivePagesTest {
  @RegisterExtension static final UiNode NODE = new UiNode();

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void a_page_about_everything_hears_of_a_new_job() throws Exception {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    try (BufferedReader events = events(open(person, "all"))) {
      awaitEvent(events, "begin");
      awaitEvent(events, "changed"); // the first look tells

      NODE.client(Role.CLIENT, "shop").submit("k1", "demo", "{}");

      awaitEvent(events, "changed");
    }
  }

  @Test
  void a_client_hears_steadily_that_it_may_look_whether_others_write_or_not() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "alone");
    try (BufferedReader events = events(open(person, "all"))) {
      awaitEvent(events, "begin");
      awaitEvent(events, "changed");
      awaitEvent(events, "changed");
    }
  }

  @Test
  void the_overview_hears_of_what_nodes_count() throws Exception {
    UiClient person = NODE.person(Role.OPERATOR, "house");
    try (BufferedReader events = events(open(person, "overview"))) {
      awaitEvent(events, "changed"); // the first look tells
      awaitEvent(events, "changed"); // a node counts every five seconds
    }
  }

  @Test
  void a_page_about_a_job_hears_how_it_ends() throws Exception {
    ApiClient client = NODE.client(Role.CLIENT, "one");
    UiClient person = NODE.person(Role.CLIENT, "one");
    String job =
        client
            .submit("k2", "demo", "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\"}}}")
            .at("/id");
    try (BufferedReader events = events(open(person, job))) {
      awaitEvent(events, "changed");
      awaitEvent(events, "changed"); // in doubt after two seconds
    }
  }

  @Test
  void a_page_that_comes_to_a_job_which_another_watches_is_told_to_look_too() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "both");
    String job = NODE.client(Role.CLIENT, "both").submit("k4", "demo", "{}").at("/id");
    try (BufferedReader first = events(open(person, job))) {
      awaitEvent(first, "changed");
      for (int i = 0; i < 3; i++) {
        try (BufferedReader later = events(open(person, job))) {
          awaitEvent(later, "changed");
        }
      }
    }
  }

  @Test
  void a_job_of_another_owner_is_as_absent_as_none() throws Exception {
    String job = NODE.client(Role.CLIENT, "theirs").submit("k3", "demo", "{}").at("/id");
    UiClient person = NODE.person(Role.CLIENT, "mine");

    for (String topic : List.of(job, "job_01K0000000000000000000000", "nothing", "")) {
      assertThat(open(person, topic).statusCode()).isEqualTo(404);
    }
    assertThat(open(new UiClient(NODE.uri()), "all").statusCode()).isEqualTo(401);
  }

  @Test
  void log_out_ends_the_live_pages_of_the_session() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "gone");
    try (BufferedReader events = events(open(person, "all"))) {
      awaitEvent(events, "begin");

      person.press(person.get("/ui"), "form.who", Map.of());

      awaitEvent(events, "over");
    }
  }

  @Test
  void a_key_has_32_live_pages_and_one_more_ends_the_oldest_however_often_it_logs_in()
      throws Exception {
    String key = NODE.secret(Role.CLIENT, "greedy");
    UiClient one = new UiClient(NODE.uri());
    UiClient other = new UiClient(NODE.uri());
    one.logIn(key);
    other.logIn(key);
    List<HttpResponse<InputStream>> lines = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      lines.add(open(one, "all"));
      lines.add(open(other, "all"));
    }
    assertThat(lines).extracting(HttpResponse::statusCode).containsOnly(200);

    for (HttpResponse<InputStream> each : lines.subList(0, 2)) {
      awaitEvent(events(each), "over");
    }
    for (HttpResponse<InputStream> each : lines.subList(2, 34)) {
      try (BufferedReader events = events(each)) {
        awaitEvent(events, "changed");
        awaitEvent(events, "changed");
      }
    }
  }

  @Test
  void a_silent_line_says_that_it_is_there_before_a_hasty_proxy_cuts_it() throws Exception {
    UiClient person = NODE.person(Role.CLIENT, "calm");
    String job = NODE.client(Role.CLIENT, "calm").submit("calm", "demo", "{}").at("/id");
    HttpResponse<InputStream> line = open(person, job);
    assertThat(line.headers().firstValue("X-Accel-Buffering")).hasValue("no");
    try (BufferedReader events = events(line)) {
      String read = events.readLine();
      while (read != null && !read.equals(": still here")) {
        read = events.readLine();
      }
      assertThat(read).as("before the stream ended").isNotNull();
    }
  }

  private HttpResponse<InputStream> open(UiClient person, String topic) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(NODE.uri() + "/ui/events?topic=" + topic));
    person.cookies().forEach((name, value) -> request.header("Cookie", name + "=" + value));
    return http.send(request.build(), BodyHandlers.ofInputStream());
  }

  private static BufferedReader events(HttpResponse<InputStream> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private static void awaitEvent(BufferedReader events, String name) throws IOException {
    String line = events.readLine();
    while (line != null && !line.equals("event: " + name)) {
      line = events.readLine();
    }
    assertThat(line).as("before the stream ended").isNotNull();
  }
}
