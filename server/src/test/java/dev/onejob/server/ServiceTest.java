package dev.onejob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.cli.Commands;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;

  @Test
  void runs_a_job_that_the_command_line_submits_with_the_first_keys() {
    try (Service service = start(settings(folder))) {
      String result =
          Commands.run(
              folder,
              "submit",
              "--kind",
              "demo",
              "--url",
              service.uri().toString(),
              "--data",
              folder.toString());

      assertThat(result).startsWith("{\"provider\":\"sandbox-a\",\"job\":\"job_");
    }
  }

  @Test
  void keeps_the_first_keys_where_only_its_user_can_read_them() throws IOException {
    try (Service service = start(settings(folder))) {
      Path file = service.firstKeys().orElseThrow().file();

      assertThat(file).isEqualTo(folder.resolve("first-keys.json"));
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(file).content().contains(service.firstKeys().orElseThrow().keys().client());
    }
    try (Service again = start(settings(folder))) {
      assertThat(again.firstKeys()).isEmpty();
    }
  }

  @Test
  void first_keys_that_could_not_be_kept_are_made_again_at_the_next_start() throws IOException {
    Path inTheWay = Files.createDirectories(folder.resolve("first-keys.json/x")).getParent();

    assertThatThrownBy(() -> start(settings(folder)).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(inTheWay.toString())
        .hasMessageNotContaining("ojk_");

    Files.delete(inTheWay.resolve("x"));
    Files.delete(inTheWay);
    try (Service again = start(settings(folder))) {
      assertThat(again.firstKeys()).isPresent();
    }
  }

  @Test
  void of_two_nodes_that_start_at_once_on_an_empty_database_one_makes_the_keys() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Service>> starts =
          List.of("one", "two").stream()
              .map(name -> threads.submit(() -> start(settings(folder.resolve(name)))))
              .toList();
      try (Service one = starts.getFirst().get();
          Service two = starts.getLast().get()) {
        assertThat(List.of(one, two)).filteredOn(it -> it.firstKeys().isPresent()).hasSize(1);
        assertThat(List.of("one", "two"))
            .filteredOn(name -> Files.exists(folder.resolve(name).resolve("first-keys.json")))
            .hasSize(1);
      }
    }
  }

  @Test
  void listens_on_loopback_unless_told_otherwise() {
    assertThat(loader().builtIn().server().host()).isEqualTo("127.0.0.1");
    try (Service service = start(settings(folder))) {
      assertThat(service.uri().getHost()).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void says_in_one_line_that_its_port_is_taken_and_closes_what_it_had_opened() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Settings settings =
          settings(folder).with(new Overrides(null, null, taken.getLocalPort(), null, null));

      assertThatThrownBy(() -> start(settings).close())
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
    }
    start(settings(folder)).close();
  }

  private SettingsLoader loader() {
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder);
  }

  private Settings settings(Path data) {
    return loader().builtIn().with(new Overrides(postgres.url(), null, 0, data, "test"));
  }

  private static Service start(Settings settings) {
    return Service.start(settings, ProviderTypes.ALL, name -> null);
  }
}
