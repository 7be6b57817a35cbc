package dev.onejob.server.config;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Prices.Rate;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what a provider asks. Every amount is taken as it is written, digit for digit. */
final class PriceReader {
  private final YamlDocument yaml;
  private final Problems problems;

  PriceReader(YamlDocument yaml, Problems problems) {
    this.yaml = yaml;
    this.problems = problems;
  }

  /** Null if there is nothing to be read. */
  @Nullable Prices read(String providerName, JsonNode provider) {
    JsonNode price = provider.path("price");
    if (!price.isObject()) {
      return null;
    }
    String at = Pointers.child("/providers", providerName) + "/price";
    Map<String, Rate> models = new HashMap<>();
    for (Map.Entry<String, JsonNode> model : price.path("models").properties()) {
      String place = Pointers.child(at + "/models", model.getKey());
      models.put(model.getKey(), rate(place, model.getValue()));
    }
    return new Prices(price.path("currency").asString(), rate(at, price), models);
  }

  private Rate rate(String at, JsonNode price) {
    return new Rate(
        amount(at, price, "per_call"),
        amount(at, price, "input_per_million"),
        amount(at, price, "output_per_million"));
  }

  private @Nullable BigDecimal amount(String at, JsonNode price, String name) {
    if (!price.has(name)) {
      return null;
    }
    BigDecimal amount = price.path(name).decimalValue();
    if (amount.signum() != 0 && amount.stripTrailingZeros().scale() > Prices.DECIMALS_MAX) {
      String rule = "at most " + Prices.DECIMALS_MAX + " digits behind the point";
      problems.add(yaml.problem(at + "/" + name, rule));
      return null;
    }
    return amount;
  }
}
