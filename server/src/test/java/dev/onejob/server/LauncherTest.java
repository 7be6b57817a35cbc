package dev.onejob.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher runs in a checkout of its own, with a Java and a Maven that only say what was asked.
 */
class LauncherTest {
  private static final String JAVA = "#!/bin/sh\nprintf 'java:'; printf ' %s' \"$@\"; echo\n";

  private static final String MAVEN =
      """
      #!/bin/sh
      echo built >> builds
      mkdir -p server/target/lib
      touch server/target/onejob-server-1.jar server/target/lib/a.jar
      """;

  @TempDir Path folder;
  private Path checkout;
  private Path jdk;
  private Path tools;

  @BeforeEach
  void layOut() throws IOException {
    checkout = Files.createDirectory(folder.resolve("check out"));
    Files.copy(Path.of("..", "onejob"), checkout.resolve("onejob"));
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    for (String module : List.of("core", "contract", "qualification", "server")) {
      Files.createDirectories(checkout.resolve(module).resolve("src/main"));
      Files.writeString(checkout.resolve(module).resolve("pom.xml"), "<project/>");
    }
    jdk = jdk("jdk-25", "25.0.2");
    program(jdk.resolve("bin/javac"), JAVA);
    tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool :
        List.of(
            "bash",
            "sh",
            "dirname",
            "readlink",
            "grep",
            "find",
            "tr",
            "tail",
            "touch",
            "mv",
            "rm",
            "mkdir",
            "flock",
            "sleep")) {
      program(tools.resolve(tool), "#!/bin/sh\nexec " + tool(tool) + " \"$@\"\n");
    }
  }

  @Test
  void says_in_one_line_what_to_install_where_there_is_no_jdk_25() throws Exception {
    Path old = jdk("jdk-17", "17.0.1");
    Run run = run(checkout.resolve("onejob"), Map.of("JAVA_HOME", old.toString()), "jobs");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err().lines())
        .singleElement()
        .asString()
        .startsWith("onejob: needs a JDK 25 and found none; install one");
  }

  @Test
  void prefers_java_home_then_the_path_then_the_usual_places() throws Exception {
    alreadyBuilt();
    Path old = jdk("jdk-17", "17.0.1");
    Path launcher = checkout.resolve("onejob");

    assertThat(run(launcher, Map.of("JAVA_HOME", jdk.toString()), "jobs").exitCode()).isZero();
    assertThat(run(launcher, Map.of("JAVA_HOME", "/nowhere"), "jobs").exitCode()).isEqualTo(1);
    assertThat(run(launcher, Map.of("ONEJOB_JDK_PLACES", old + ":" + jdk), "jobs").exitCode())
        .isZero();
    Files.createSymbolicLink(tools.resolve("java"), jdk.resolve("bin/java"));
    assertThat(run(launcher, Map.of("JAVA_HOME", old.toString()), "jobs").exitCode()).isZero();
  }

  @Test
  void hands_every_argument_over_from_any_folder_and_through_links() throws Exception {
    alreadyBuilt();
    Path link = Files.createSymbolicLink(folder.resolve("link"), checkout.resolve("onejob"));
    Path again = Files.createSymbolicLink(folder.resolve("again"), Path.of("link"));

    Run run = run(again, withJdk(), "submit", "--input", "{\"a b\": \"*\"}");

    assertThat(run.out())
        .contains("dev.onejob.server.Main submit --input {\"a b\": \"*\"}\n")
        .contains(checkout.toRealPath().resolve("server/target/onejob-server-1.jar").toString())
        .contains(checkout.toRealPath().resolve("server/target/lib/a.jar").toString());
    assertThat(link).isSymbolicLink();
  }

  @Test
  void compiles_thoroughly_only_for_the_service() throws Exception {
    alreadyBuilt();
    Path launcher = checkout.resolve("onejob");

    assertThat(run(launcher, withJdk(), "jobs").out()).contains("-XX:TieredStopAtLevel=1");
    assertThat(run(launcher, withJdk(), "serve").out()).doesNotContain("TieredStopAtLevel");
  }

  @Test
  void builds_on_first_use_and_when_a_source_is_newer_and_not_else() throws Exception {
    program(tools.resolve("mvn"), MAVEN);
    Path launcher = checkout.resolve("onejob");

    assertThat(run(launcher, withJdk(), "jobs").err()).contains("onejob: building");
    assertThat(run(launcher, withJdk(), "jobs").err()).isEmpty();
    assertThat(builds()).isEqualTo(1);

    Path source = Files.writeString(checkout.resolve("core/src/main/New.java"), "class New {}");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
    run(launcher, withJdk(), "jobs");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void builds_once_when_two_start_at_once() throws Exception {
    program(tools.resolve("mvn"), MAVEN);
    List<Process> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(start(checkout.resolve("onejob"), withJdk(), "jobs"));
    }
    for (Process start : starts) {
      assertThat(start.waitFor()).isZero();
    }
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void says_so_where_maven_is_missing() throws Exception {
    Run run = run(checkout.resolve("onejob"), withJdk(), "jobs");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("onejob: needs Maven to build and found no mvn");
  }

  @Test
  void shows_why_a_build_failed_and_tries_again_next_time() throws Exception {
    program(tools.resolve("mvn"), "#!/bin/sh\necho the reason\nexit 1\n");
    Run run = run(checkout.resolve("onejob"), withJdk(), "jobs");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("the reason").contains("the build failed");
    program(tools.resolve("mvn"), MAVEN);
    assertThat(run(checkout.resolve("onejob"), withJdk(), "jobs").exitCode()).isZero();
  }

  private Map<String, String> withJdk() {
    return Map.of("JAVA_HOME", jdk.toString());
  }

  private long builds() throws IOException {
    return Files.readAllLines(checkout.resolve("builds")).size();
  }

  private void alreadyBuilt() throws IOException {
    Files.createDirectories(checkout.resolve("server/target/lib"));
    Files.createFile(checkout.resolve("server/target/onejob-server-1.jar"));
    Files.createFile(checkout.resolve("server/target/lib/a.jar"));
    Path built = Files.createFile(checkout.resolve("server/target/.built"));
    Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(1)));
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.createDirectory(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    program(home.resolve("bin/java"), JAVA);
    return home;
  }

  private static void program(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path tool(String name) {
    return List.of("/usr/bin", "/bin").stream()
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("this machine has no " + name));
  }

  private record Run(int exitCode, String out, String err) {}

  private Process start(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", tools.toString(), "ONEJOB_JDK_PLACES", ""));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private Run run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(launcher, environment, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, err);
  }
}
