package dev.onejob.providers.openai;

import dev.onejob.providers.model.UnusableInput;
import java.math.BigDecimal;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request that a client of the API has written, on its way to an endpoint. All of it is kept but
 * for what would give anything else than one whole answer in one reply.
 */
final class PassedOn {
  private PassedOn() {}

  /**
   * The request as it is sent: of what the client says about a stream nothing is left.
   *
   * @param frame the model and the parameters of the settings, which go before the client's
   * @throws UnusableInput if the input is no such request, asks for more than one answer or for one
   *     that is made in the background, or reaches beyond one answer ({@link Overreach})
   */
  static ObjectNode request(JsonNode input, ObjectNode frame) throws UnusableInput {
    if (!(input instanceof ObjectNode written)) {
      throw new UnusableInput("the input is to be the request itself, and is no object");
    }
    JsonNode answers = written.path("n");
    if (!isLeftOut(answers) && !isOne(answers)) {
      throw new UnusableInput("the input asks for other than one answer (n)");
    }
    if (written.path("background").asBoolean(false)) {
      throw new UnusableInput("the input asks for an answer in the background");
    }
    Optional<Overreach> overreach = Overreach.of(written);
    if (overreach.isPresent()) {
      throw new UnusableInput(overreach.get().pointer() + ": " + overreach.get().why());
    }
    ObjectNode request = written.deepCopy();
    request.remove("stream");
    request.remove("stream_options");
    request.setAll(frame);
    return request;
  }

  private static boolean isLeftOut(JsonNode member) {
    return member.isMissingNode() || member.isNull();
  }

  private static boolean isOne(JsonNode member) {
    return member.isNumber() && member.decimalValue().compareTo(BigDecimal.ONE) == 0;
  }
}
