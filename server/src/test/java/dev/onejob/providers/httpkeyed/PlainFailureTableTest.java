package dev.onejob.providers.httpkeyed;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Without a state: a success with a result in its place is the result. */
final class PlainFailureTableTest implements FailureTableContract {
  private static final KeyedType TYPE = new KeyedType();
  private static final String GOOD = "{\"order\":{\"number\":7}}";

  @Override
  public ProviderType type() {
    return TYPE;
  }

  @Override
  public ObjectNode settings(URI address) {
    ObjectNode settings =
        (ObjectNode)
            JsonMapper.shared()
                .readTree(
                    """
                    {"path": "/orders", "json": {"q": "{{/q}}"}, "key_kept": "1h",
                     "result": "/order"}
                    """);
    return settings.put("base_url", address.toString());
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
    return List.of("", "{", GOOD.substring(0, 12), GOOD.substring(0, GOOD.length() - 1));
  }

  @Override
  public boolean isGoodUnder(int status) {
    return status == 200 || status == 201;
  }

  /** An error in a success is not understood, whatever it says. */
  @Override
  public Class<? extends Outcome> unauthorised() {
    return Outcome.InDoubt.class;
  }
}
