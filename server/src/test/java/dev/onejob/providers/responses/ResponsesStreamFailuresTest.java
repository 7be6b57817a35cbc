package dev.onejob.providers.responses;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

final class ResponsesStreamFailuresTest implements FailureTableContract {
  @Override
  public ProviderType type() {
    return new OpenAiResponsesType();
  }

  @Override
  public ObjectNode settings(URI address) {
    return OpenAiResponsesTest.settings(address).put("background", false).put("stream", true);
  }

  @Override
  public String mediaType() {
    return "text/event-stream";
  }

  @Override
  public String good() {
    return String.join("", ResponseEvents.events());
  }

  @Override
  public List<String> cuts() {
    return ResponseEvents.cuts();
  }

  /** The end of a stream that is not read is never heard. */
  @Override
  public Class<? extends Outcome> oversize() {
    return Outcome.InDoubt.class;
  }
}
