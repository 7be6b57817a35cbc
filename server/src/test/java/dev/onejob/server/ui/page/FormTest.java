package dev.onejob.server.ui.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.server.http.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FormTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void what_comes_is_read_up_to_its_bound() throws IOException {
    assertThat(Form.bytes(coming(Duration.ZERO, 20_000), 30_000, nanos::get)).hasSize(20_000);
    assertThat(Form.bytes(coming(Duration.ZERO, 20_000), 10_001, nanos::get)).hasSize(10_001);
    assertThat(Form.bytes(InputStream.nullInputStream(), 10, nanos::get)).isEmpty();
  }

  @Test
  void the_end_of_a_line_is_one_character_as_it_was_typed() {
    Form form = Form.parse("reason=one%0D%0Atwo%0D%0A%0D%0Athree&csrf=c&as_of=m&as_of-x=y&b=1&b=2");

    assertThat(form.exact("reason")).isEqualTo("one\ntwo\n\nthree");
    assertThat(form.typed()).containsExactly(Map.entry("reason", "one\ntwo\n\nthree"));
  }

  @Test
  void a_bad_line_is_waited_for() throws IOException {
    assertThat(Form.bytes(coming(Duration.ofMillis(9), 3_000), 10_000, nanos::get)).hasSize(3_000);
  }

  @Test
  void a_form_that_comes_a_byte_at_a_time_is_given_up() {
    for (Duration each : new Duration[] {Duration.ofMillis(11), Duration.ofMinutes(1)}) {
      assertThatThrownBy(() -> Form.bytes(coming(each, 5_000), 10_000, nanos::get))
          .isInstanceOfSatisfying(
              ProblemException.class, e -> assertThat(e.problem().type().status()).isEqualTo(408));
    }
  }

  @Test
  void a_form_that_comes_fast_enough_but_never_ends_is_given_up_too() {
    assertThatThrownBy(() -> Form.bytes(coming(Duration.ofMillis(1), 60_000), 60_000, nanos::get))
        .isInstanceOfSatisfying(
            ProblemException.class, e -> assertThat(e.problem().type().status()).isEqualTo(408));
  }

  @Test
  void fields_are_read_as_they_stand_and_not_more_than_a_thousand() {
    Form form = Form.parse("a=1&b&=c&d=x=y&a=2&e=%26&");

    assertThat(form.all("a")).containsExactly("1", "2");
    assertThat(form.all("b")).containsExactly("");
    assertThat(form.all("")).containsExactly("c", "");
    assertThat(form.text("d")).isEqualTo("x=y");
    assertThat(form.text("e")).isEqualTo("&");
    assertThat(Form.parse("a=1" + "&a=1".repeat(999)).all("a")).hasSize(1_000);
    assertThatThrownBy(() -> Form.parse("a=1" + "&a=1".repeat(1_000)))
        .isInstanceOf(ProblemException.class);
  }

  /** So many bytes, each after that long. */
  private InputStream coming(Duration each, int count) {
    return new InputStream() {
      private int left = count;

      @Override
      public int read() {
        nanos.addAndGet(each.toNanos());
        return left-- > 0 ? 'k' : -1;
      }

      @Override
      public int read(byte[] into, int from, int length) {
        int next = read();
        if (next < 0) {
          return -1;
        }
        into[from] = (byte) next;
        return 1;
      }
    };
  }
}
