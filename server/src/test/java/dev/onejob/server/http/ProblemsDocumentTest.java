package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.testing.OpenApiCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of problems is the same in the code, in the OpenAPI document and in the docs. */
final class ProblemsDocumentTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\| (\\d{3}) \\| ([^|]+) \\|", Pattern.MULTILINE);

  @Test
  void the_page_lists_every_problem_with_its_status_and_title() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "problems.md"));
    List<String> rows =
        ROW.matcher(page)
            .results()
            .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            Stream.of(ProblemType.values())
                .map(type -> type.code() + " " + type.status() + " " + type.title())
                .toList());
  }

  @Test
  void the_openapi_document_lists_every_code() {
    List<String> codes =
        OpenApiCheck.openApi()
            .at("/components/schemas/Problem/properties/code/enum")
            .values()
            .stream()
            .map(code -> code.asString())
            .toList();
    assertThat(codes)
        .containsExactlyElementsOf(Stream.of(ProblemType.values()).map(ProblemType::code).toList());
  }

  @Test
  void no_other_file_of_the_api_names_a_status_by_its_number() throws IOException {
    Pattern number = Pattern.compile("\\b(200|201|204|4[0-3]\\d|50[0-5])\\b");
    try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/onejob/server/http"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .filter(file -> !file.endsWith("ProblemType.java"))
                  .filter(file -> number.matcher(read(file)).find()))
          .isEmpty();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
