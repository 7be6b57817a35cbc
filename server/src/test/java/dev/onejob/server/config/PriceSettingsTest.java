package dev.onejob.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Prices.Rate;
import dev.onejob.providers.ProviderTypes;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriceSettingsTest {
  @TempDir Path folder;

  private Settings load(String price) throws IOException {
    Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds: {a: {route: [p]}}
        providers:
          p:
            type: sandbox
            price: %s
        """
            .formatted(price));
    return new SettingsLoader(ProviderTypes.ALL, name -> null, folder).load(Path.of("onejob.yaml"));
  }

  private List<String> complaints(String price) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(price));
    assertThat(refused).as("accepted: " + price).isNotNull();
    return refused.problems().stream().map(ConfigProblem::toString).toList();
  }

  @Test
  void amounts_are_read_digit_for_digit() throws IOException {
    Prices prices =
        load("{currency: EUR, per_call: 0.10, input_per_million: 0.150000000001,"
                + " models: {large: {output_per_million: 10}}}")
            .providers()
            .getFirst()
            .prices();

    assertThat(prices)
        .isEqualTo(
            new Prices(
                "EUR",
                new Rate(new BigDecimal("0.10"), new BigDecimal("0.150000000001"), null),
                Map.of("large", new Rate(null, null, new BigDecimal("10")))));
  }

  @Test
  void what_is_no_price_is_refused_with_its_place() {
    assertThat(complaints("{per_call: 1}")).singleElement().asString().contains("currency");
    assertThat(complaints("{currency: euro}"))
        .singleElement()
        .asString()
        .startsWith("onejob.yaml:5: providers.p.price.currency: expected three capital letters");
    assertThat(complaints("{currency: EUR, per_call: -1}"))
        .singleElement()
        .asString()
        .contains("providers.p.price.per_call");
    assertThat(complaints("{currency: EUR, per_call: 0.0000000000001}"))
        .containsExactly(
            "onejob.yaml:5: providers.p.price.per_call: at most 12 digits behind the point");
    assertThat(complaints("{currency: EUR, models: {m: {per_call: cheap}}}"))
        .singleElement()
        .asString()
        .contains("providers.p.price.models.m.per_call");
  }
}
