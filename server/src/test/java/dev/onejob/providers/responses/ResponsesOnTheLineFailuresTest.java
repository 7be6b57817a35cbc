package dev.onejob.providers.responses;

import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

final class ResponsesOnTheLineFailuresTest implements FailureTableContract {
  private static final String GOOD =
      ResponsesPeer.response("completed", ResponsesPeer.output("because"));

  @Override
  public ProviderType type() {
    return new OpenAiResponsesType();
  }

  @Override
  public ObjectNode settings(URI address) {
    return OpenAiResponsesTest.settings(address).put("background", false);
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
    return List.of("", GOOD.substring(0, 90), GOOD.substring(0, GOOD.length() - 1));
  }
}
