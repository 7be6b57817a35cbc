package dev.onejob.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Prices.Rate;
import java.math.BigDecimal;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class CostTest {
  private static final Prices PRICES =
      new Prices(
          "EUR",
          new Rate(new BigDecimal("0.01"), new BigDecimal("0.15"), new BigDecimal("0.60")),
          Map.of("large", new Rate(null, new BigDecimal("2.5"), null)));

  @Test
  void a_price_is_the_sum_of_its_parts_and_nothing_is_rounded() {
    assertThat(PRICES.of(new Usage(7L, 3L, "small")))
        .contains(new Money(new BigDecimal("0.01000285"), "EUR"));
    assertThat(PRICES.of(new Usage(1L, 999L, "large")))
        .contains(new Money(new BigDecimal("0.0000025"), "EUR"));
  }

  @Test
  void a_figure_that_the_price_hangs_on_and_that_was_not_said_leaves_it_unknown() {
    assertThat(PRICES.of(new Usage(7L, null, null))).isEmpty();
    assertThat(PRICES.of(new Usage(7L, null, "large"))).isPresent();
    Prices byCall = new Prices("EUR", new Rate(BigDecimal.ONE, null, null), Map.of());
    assertThat(byCall.of(Usage.UNSAID)).contains(new Money(BigDecimal.ONE, "EUR"));
  }

  @Property(tries = 300)
  void a_cost_is_read_as_it_was_written(
      @ForAll @LongRange(min = 0) long input,
      @ForAll @BigRange(min = "0", max = "1000000000") @Scale(12) BigDecimal amount,
      @ForAll String words) {
    Cost whole = new Cost(input, null, new Money(amount, "USD"), words);
    Cost wordsOnly = new Cost(null, null, null, words);

    assertThat(Cost.of(whole.text())).isEqualTo(whole);
    assertThat(Cost.of(wordsOnly.text())).isEqualTo(wordsOnly);
  }

  @Test
  void words_that_look_like_figures_stay_words() {
    Cost words = new Cost(null, null, null, "cost/1 7 3 0.5 EUR");

    assertThat(Cost.of(words.text())).isEqualTo(words);
    assertThat(Cost.of("cost/1 7 3 1..5 EUR").words()).isEqualTo("cost/1 7 3 1..5 EUR");
  }

  @Test
  void figures_survive_a_text_that_is_cut() {
    Cost cost = new Cost(1L, 2L, new Money(new BigDecimal("0.5"), "EUR"), "x".repeat(9_000));

    assertThat(Cost.of(cost.text().substring(0, 2_000)).price()).isEqualTo(cost.price());
  }

  @Test
  void nothing_known_is_nothing_kept() {
    assertThat(Cost.of(Usage.UNSAID, null, null).text()).isNull();
  }

  @Test
  void amounts_are_never_negative_and_currencies_never_mixed() {
    assertThatThrownBy(() -> new Money(new BigDecimal("-1"), "EUR"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Money(BigDecimal.ONE, "euro"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new Money(BigDecimal.ONE, "EUR").plus(new Money(BigDecimal.ONE, "USD")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Usage(-1L, null, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
