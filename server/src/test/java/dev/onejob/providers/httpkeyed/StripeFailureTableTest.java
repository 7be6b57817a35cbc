package dev.onejob.providers.httpkeyed;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.httpkeyed.KeyedFarSide.LookUp;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

final class StripeFailureTableTest implements FailureTableContract {
  private static final KeyedType TYPE = new KeyedType();
  private static final String GOOD = "{\"id\":\"pi_1\",\"status\":\"succeeded\",\"amount\":2000}";

  @Override
  public ProviderType type() {
    return TYPE;
  }

  @Override
  public ObjectNode settings(URI address) {
    ObjectNode settings = KeyedFarSide.settings(address, "SERVE", LookUp.NONE);
    settings.remove("api_key_env");
    return settings;
  }

  @Override
  public String mediaType() {
    return "application/json";
  }

  @Override
  public String good() {
    return GOOD;
  }

  @Override
  public List<String> cuts() {
    return List.of("", "{", GOOD.substring(0, 30), GOOD.substring(0, GOOD.length() - 1));
  }

  /** Its parameters were good, and the payment failed. */
  @Override
  public Map<Integer, Class<? extends Outcome>> ownMeanings() {
    return Map.of(402, Outcome.Failed.class);
  }

  /** With a state in it that is listed. */
  @Override
  public boolean isGoodUnder(int status) {
    return status >= 200 && status <= 202;
  }

  /** An error in a success is not understood, whatever it says. */
  @Override
  public Class<? extends Outcome> unauthorised() {
    return Outcome.InDoubt.class;
  }
}
