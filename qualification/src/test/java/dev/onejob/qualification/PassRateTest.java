package dev.onejob.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassRateTest {
  /** By the closed form with z of 1.644854, 1.281552 and 2.326348. */
  @ParameterizedTest
  @CsvSource({
    "5, 5, 0.95, 0.6489",
    "4, 5, 0.95, 0.4351",
    "20, 20, 0.95, 0.8809",
    "16, 20, 0.95, 0.6217",
    "0, 5, 0.95, 0.0",
    "5, 5, 0.90, 0.7528",
    "5, 5, 0.99, 0.4802",
    "3, 4, 0.50, 0.75",
  })
  void the_lower_bound_is_wilsons_one_sided(int right, int asked, double confidence, double bound) {
    assertThat(new PassRate(right, asked).lowerBound(confidence)).isCloseTo(bound, within(0.0005));
  }

  @Test
  void nothing_asked_proves_nothing() {
    assertThat(new PassRate(0, 0).lowerBound(0.95)).isZero();
  }
}
