package dev.onejob.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.UiClient;
import dev.onejob.testkit.PostgresExtension;
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
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A live page over two nodes behind an nginx that cuts silent lines and buffers answers. */
@Tag("process")
@Timeout(240)
@EnabledIf(value = "isInstalled", disabledReason = "nginx is not installed")
class LivePagesBehindNginxTest {
  /** So many signs of life take fifteen seconds, and nginx cuts after ten silent ones. */
  private static final int SIGNS_OF_LIFE = 3;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  static boolean isInstalled() {
    return LoadBalancer.isNginxInstalled();
  }

  @Test
  void a_silent_page_is_held_and_a_cut_one_hears_at_either_node_of_what_it_has_missed()
      throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder);
        LoadBalancer entrance =
            LoadBalancer.impatientNginx(folder, nodes.first.uri(), nodes.second.uri())) {
      UiClient person = new UiClient(entrance.uri());
      person.logIn(nodes.first.firstKey("operator"));
      String job = TwoNodes.created(nodes.client1.submit("k", "demo", "{}"));
      TwoNodes.awaitJob(nodes.client1, job, "/state", "succeeded");

      HttpResponse<InputStream> answer = open(person, entrance.uri(), job);
      try (BufferedReader line = lines(answer)) {
        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        await(line, "event: begin");
        await(line, "event: changed");
        for (int i = 0; i < SIGNS_OF_LIFE; i++) {
          await(line, ": still here");
        }
      }
      // Others watch the same job at both nodes: what is new to one who comes again is old to them.
      try (BufferedReader first = lines(open(person, nodes.first.uri(), job));
          BufferedReader second = lines(open(person, nodes.second.uri(), job))) {
        await(first, "event: changed");
        await(second, "event: changed");
        for (URI node : new URI[] {nodes.second.uri(), nodes.first.uri(), entrance.uri()}) {
          try (BufferedReader again = lines(open(person, node, job))) {
            await(again, "event: changed");
          }
        }
      }
    }
  }

  /** As a browser comes again: with the last id that it has seen, here one that nobody knows. */
  private HttpResponse<InputStream> open(UiClient person, URI node, String job) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve("/ui/events?topic=" + job))
            .header("Last-Event-ID", "long-ago");
    person.cookies().forEach((name, value) -> request.header("Cookie", name + "=" + value));
    return http.send(request.build(), BodyHandlers.ofInputStream());
  }

  private static BufferedReader lines(HttpResponse<InputStream> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private static void await(BufferedReader lines, String wanted) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.equals(wanted)) {
      line = lines.readLine();
    }
    assertThat(line).as("before the line was cut").isEqualTo(wanted);
  }
}
