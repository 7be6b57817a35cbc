package dev.onejob.server.http.door;

import dev.onejob.domain.Limits;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.openai.Overreach;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request of a client of OpenAI's API. Its bytes are the input of the job; only what decides how
 * it is served is read here.
 *
 * @param kind of the job that it becomes
 * @param body exactly as it came; not copied, not to be changed
 */
public record DoorRequest(Door.Endpoint endpoint, String kind, byte[] body, Form form) {

  /** How the answer is sent. */
  public enum Form {
    WHOLE,
    STREAM,
    /** A stream with a last chunk that says what was used. */
    STREAM_WITH_USAGE
  }

  /**
   * Reads a request.
   *
   * @throws ProblemException if it is no JSON object, names a model that no kind serves, or asks
   *     for what the door does not give
   */
  public static DoorRequest read(Door door, Door.Endpoint endpoint, byte[] body) {
    JsonNode request = object(body);
    String kind = kind(door, endpoint, request.path("model"));
    Form form = form(request);
    refuse(endpoint, request, form);
    return new DoorRequest(endpoint, kind, body, form);
  }

  private static JsonNode object(byte[] body) {
    JsonNode request;
    try {
      request = BoundedJson.read(body);
    } catch (JacksonException e) {
      throw Problem.of(
              ProblemType.BODY_INVALID,
              Quoted.message("The body is refused", e.getOriginalMessage()))
          .asException();
    }
    if (!request.isObject()) {
      throw Problem.of(ProblemType.BODY_INVALID, "The body is a JSON object.").asException();
    }
    return request;
  }

  private static String kind(Door door, Door.Endpoint endpoint, JsonNode model) {
    if (!model.isString()) {
      throw Problem.field("/model", "The model is needed, and is a string.");
    }
    String kind = door.kinds(endpoint).get(model.stringValue());
    if (kind == null) {
      throw noModel(model.stringValue());
    }
    return kind;
  }

  /** No kind serves a model of this name here. */
  public static ProblemException noModel(String model) {
    String known = model.length() > Limits.NAME_CHARS_MAX ? "that" : Quoted.message(model);
    return Problem.of(
            ProblemType.MODEL_NOT_FOUND,
            "No model is named " + known + " here; GET " + Door.PATH + "/models lists them.")
        .with("pointer", "/model")
        .asException();
  }

  private static Form form(JsonNode request) {
    JsonNode stream = request.path("stream");
    if (!stream.isMissingNode() && !stream.isNull() && !stream.isBoolean()) {
      throw Problem.field("/stream", "This is true or false.");
    }
    if (!stream.asBoolean(false)) {
      return Form.WHOLE;
    }
    return request.path("stream_options").path("include_usage").asBoolean(false)
        ? Form.STREAM_WITH_USAGE
        : Form.STREAM;
  }

  private static void refuse(Door.Endpoint endpoint, JsonNode request, Form form) {
    JsonNode answers = request.path("n");
    if (answers.isNumber() && answers.decimalValue().compareTo(BigDecimal.ONE) != 0) {
      throw Problem.field("/n", "One answer is given to one request: n is 1, or left out.");
    }
    if (endpoint == Door.Endpoint.RESPONSES) {
      if (form != Form.WHOLE) {
        throw Problem.field("/stream", "Responses are not streamed here; leave stream out.");
      }
      if (request.path("background").asBoolean(false)) {
        throw Problem.field(
            "/background",
            "This request is answered when its job is over. For work in the background submit a job"
                + " to /v1/jobs.");
      }
    }
    Optional<Overreach> overreach = Overreach.of(request);
    if (overreach.isPresent()) {
      throw Problem.field(overreach.get().pointer(), overreach.get().why());
    }
  }

  /** What makes two requests the same: SHA-256 of where they lead to and of their bytes. */
  public byte[] digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(endpoint.path().getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
      sha.update(kind.getBytes(StandardCharsets.UTF_8));
      sha.update((byte) 0);
      return sha.digest(body);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
