package dev.onejob.providers.responses;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.model.ApiKey;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.Prompt;
import dev.onejob.providers.model.SynchronousModel;
import dev.onejob.providers.model.Template.MissingPart;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the requests for a job, and for a response that there is. */
final class ResponseRequest implements SynchronousModel.Asking {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final URI target;
  private final Map<String, String> headers;
  private final ObjectNode frame;
  private final Prompt prompt;

  private ResponseRequest(
      URI target, Map<String, String> headers, ObjectNode frame, Prompt prompt) {
    this.target = target;
    this.headers = headers;
    this.frame = frame;
    this.prompt = prompt;
  }

  /** What is stored, and what goes on in the background, is said and never left to a default. */
  static ResponseRequest of(ModelSettings settings, ResponseSettings own, Optional<ApiKey> key) {
    ObjectNode frame =
        settings.frame().put("background", own.inBackground()).put("store", own.stored());
    if (settings.streams()) {
      frame.put("stream", true);
    }
    return new ResponseRequest(
        settings.at("/responses"),
        key.map(known -> Map.of("Authorization", known.bearer())).orElse(Map.of()),
        frame,
        settings.turns());
  }

  @Override
  public Post post(ProviderRequest request) throws MissingPart {
    ObjectNode body = frame.deepCopy();
    ArrayNode input = body.putArray("input");
    for (Prompt.Turn turn : prompt.fill(request.input())) {
      input.addObject().put("role", turn.role()).put("content", turn.text());
    }
    body.putObject("metadata")
        .put("onejob_job_id", request.jobId().toString())
        .put("onejob_attempt_id", request.attemptId().toString());
    return new Post(target, ModelSettings.withIds(headers, request), BoundedJson.bytes(body));
  }

  /** How far is it? */
  Post question(String id) {
    return Post.get(URI.create(target + "/" + id), headers);
  }

  /** The wish that it be cancelled, which can be said more than once. */
  Post cancel(String id) {
    return new Post(URI.create(target + "/" + id + "/cancel"), headers, EMPTY_OBJECT);
  }
}
