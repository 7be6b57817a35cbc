package dev.onejob.server.ui.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.JobId;
import dev.onejob.server.testing.CsvText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobsCsvTest {
  private static final JobId ID = JobId.next(1_700_000_000_000L, new Random(1));

  @ParameterizedTest
  @MethodSource("formulas")
  void what_a_spreadsheet_would_calculate_is_text(String text, String plain) {
    assertThat(JobsCsv.plain(text)).isEqualTo(plain);
  }

  static Stream<String[]> formulas() {
    return Stream.of(
        new String[] {"=1+1", "'=1+1"},
        new String[] {"+1", "'+1"},
        new String[] {"-1", "'-1"},
        new String[] {"@SUM(1)", "'@SUM(1)"},
        new String[] {"\t=1", "'\t'=1"},
        new String[] {"\r=1", "'\r'=1"},
        new String[] {"\n=1", "'\n'=1"},
        new String[] {"\uff1d1", "'\uff1d1"},
        new String[] {"\uff0b1", "'\uff0b1"},
        new String[] {"\uff0d1", "'\uff0d1"},
        new String[] {"\uff20x", "'\uff20x"},
        new String[] {"\"=1", "\"'=1"},
        new String[] {" =1", " '=1"});
  }

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "|", "\t", ";\"", "; ", ";\"\""})
  void so_is_what_begins_a_cell_for_a_program_that_splits_otherwise(String split) {
    assertThat(JobsCsv.plain("a" + split + "=1+1")).isEqualTo("a" + split + "'=1+1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-17", "a=b", "me@home", "a+b", "a b=c", "'=1", "", "<img>", "ü"})
  void all_other_texts_stay_as_they_are(String text) {
    assertThat(JobsCsv.plain(text)).isEqualTo(text);
  }

  @Test
  void a_line_is_rfc_4180_and_its_numbers_are_numbers() {
    String text = JobsCsv.HEAD + JobsCsv.line(row("a,\"b\";=c", List.of("=1+1", "x"), null));

    assertThat(text).endsWith("\r\n").contains(",\"a,\"\"b\"\";'=c\",");
    assertThat(CsvText.read(text))
        .containsExactly(
            Map.ofEntries(
                Map.entry("id", ID.toString()),
                Map.entry("owner", "shop"),
                Map.entry("key", "a,\"b\";'=c"),
                Map.entry("kind", "demo"),
                Map.entry("state", "unknown"),
                Map.entry("waiting_for", ""),
                Map.entry("contested", "true"),
                Map.entry("attempts_started", "2"),
                Map.entry("in_doubt", "1"),
                Map.entry("provider", "bank"),
                Map.entry("tags", "'=1+1 x"),
                Map.entry("created_at", "2026-11-30T12:00:00.000123Z"),
                Map.entry("ended_at", "")));
  }

  private static ExportRow row(String key, List<String> tags, @Nullable Instant endedAt) {
    Instant createdAt = Instant.parse("2026-11-30T12:00:00.000123Z");
    JobRow job =
        new JobRow(ID, "shop", key, "demo", "unknown", null, true, 2, tags, createdAt, endedAt);
    return new ExportRow(job, 1, "bank");
  }
}
