package dev.onejob.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventReaderTest {
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n"})
  void lines_end_in_any_of_three_ways(String end) throws IOException {
    String stream = "event: a\ndata: 1\ndata: 2\n\ndata:3\n\n".replace("\n", end);
    assertThat(events(stream))
        .containsExactly(new ServerEvent("a", "1\n2"), new ServerEvent("message", "3"));
  }

  @Test
  void comments_and_unknown_fields_and_a_mark_at_the_beginning_say_nothing() throws IOException {
    assertThat(events("\ufeff: hello\n\nid: 7\nretry: 9\ncolour: red\ndata: x\n\n"))
        .containsExactly(new ServerEvent("message", "x"));
  }

  @Test
  void only_one_space_after_the_colon_belongs_to_the_form() throws IOException {
    assertThat(events("data:  x \n\ndata\n\n"))
        .containsExactly(new ServerEvent("message", " x "), new ServerEvent("message", ""));
  }

  @Test
  void the_name_of_an_event_without_data_is_forgotten() throws IOException {
    assertThat(events("event: a\n\ndata: 1\n\n")).containsExactly(new ServerEvent("message", "1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: x", "data: x\n", "event: a\n", "", "\n\n\n", "<html>\n\n"})
  void what_is_not_closed_by_an_empty_line_is_no_event(String stream) throws IOException {
    assertThat(events(stream)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: 0123456789012345678901234567890123456789\n\n", "data: 01234\n"})
  void an_event_beyond_its_bound_is_not_read(String lines) {
    assertThatThrownBy(() -> events(lines.repeat(8), new EventReader.Bounds(32, 10_000)))
        .isInstanceOf(TooMuch.class);
  }

  @Test
  void an_endless_stream_of_nothing_is_not_read_for_ever() {
    assertThatThrownBy(() -> events(":\n\n".repeat(100), new EventReader.Bounds(32, 100)))
        .isInstanceOf(TooMuch.class);
  }

  @Test
  void what_is_not_utf_8_is_unreadable() {
    byte[] bytes = "data: \u00ff\n\n".getBytes(StandardCharsets.ISO_8859_1);
    EventReader reader =
        new EventReader(new ByteArrayInputStream(bytes), new EventReader.Bounds(32, 100));
    assertThatThrownBy(reader::next).isInstanceOf(UnreadableAnswer.class);
  }

  private static List<ServerEvent> events(String stream) throws IOException {
    return events(stream, new EventReader.Bounds(10_000, 10_000));
  }

  private static List<ServerEvent> events(String stream, EventReader.Bounds bounds)
      throws IOException {
    byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
    EventReader reader = new EventReader(new ByteArrayInputStream(bytes), bounds);
    List<ServerEvent> events = new ArrayList<>();
    for (ServerEvent event = reader.next(); event != null; event = reader.next()) {
      events.add(event);
    }
    return events;
  }
}
