package dev.onejob.providers.responses;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Of the request that submits the work: by it alone anything is done. */
final class ResponsesFailuresTest implements FailureTableContract {
  private static final String GOOD =
      ResponsesPeer.response("completed", ResponsesPeer.output("because"));

  @Override
  public ProviderType type() {
    return new OpenAiResponsesType();
  }

  @Override
  public ObjectNode settings(URI address) {
    return OpenAiResponsesTest.settings(address);
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
    return List.of("", "{", GOOD.substring(0, 90), GOOD.substring(0, GOOD.length() - 1));
  }

  /** The id was not read, and the work may go on. */
  @Override
  public Class<? extends Outcome> oversize() {
    return Outcome.InDoubt.class;
  }
}
