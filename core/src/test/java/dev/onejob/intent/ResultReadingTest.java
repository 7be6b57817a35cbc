package dev.onejob.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultReadingTest {
  private static String read(String text) throws JsonRefused {
    return new String(
        ResultReading.read(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  @Test
  void a_result_is_kept_as_it_came_without_the_space_around_it() throws JsonRefused {
    assertThat(read(" \n{ \"b\" : 1.50, \"a\":[ ] }\n")).isEqualTo("{ \"b\" : 1.50, \"a\":[ ] }");
  }

  @Test
  void c27_of_equal_members_the_last_counts_and_the_others_are_gone() throws JsonRefused {
    assertThat(read("{\"qty\":1,\"x\":{\"y\":1,\"\\u0079\":2.50},\"qty\":-1}"))
        .isEqualTo("{\"x\":{\"y\":2.50},\"qty\":-1}");
  }

  @Test
  void c28_an_escaped_nul_and_half_a_surrogate_pair_stay_escaped_as_they_came() throws JsonRefused {
    assertThat(read("{\"t\":\"a\\u0000b\\ud800\"}")).isEqualTo("{\"t\":\"a\\u0000b\\ud800\"}");
    assertThat(read("{\"t\":1,\"t\":\"a\\u0000b\\ud800\"}"))
        .isEqualTo("{\"t\":\"a\\u0000b\\ud800\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"a\":", "```json\n{}\n```", "{} {}", "<html>"})
  void what_is_not_exactly_one_value_is_refused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(JsonRefused.class);
  }

  @Test
  void c32_deep_brackets_are_refused() {
    assertThatThrownBy(() -> read("[".repeat(100_000))).hasMessageContaining("deeper");
  }

  @Test
  void many_equal_members_among_many_others_cost_no_more_than_reading_them() throws JsonRefused {
    StringBuilder hostile = new StringBuilder("{");
    for (int i = 0; i < 100_000; i++) {
      hostile.append("\"m").append(i).append("\":0,\"m").append(i / 2).append("\":1,");
    }

    assertThat(read(hostile.append("\"end\":1}").toString())).endsWith("\"end\":1}");
  }
}
