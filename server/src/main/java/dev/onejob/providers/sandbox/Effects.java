package dev.onejob.providers.sandbox;

import dev.onejob.domain.JobId;
import java.util.SortedMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How often something really happened for a job.
 *
 * @param requests how many requests arrived
 * @param effects how many of them had their effect
 */
public record Effects(
    JobId job, long requests, long effects, SortedMap<String, ProviderEffects> byProvider) {

  /** The same, at one provider. */
  public record ProviderEffects(long requests, long effects) {}

  static Effects of(JobId job, SortedMap<String, ProviderEffects> byProvider) {
    return new Effects(
        job,
        byProvider.values().stream().mapToLong(ProviderEffects::requests).sum(),
        byProvider.values().stream().mapToLong(ProviderEffects::effects).sum(),
        byProvider);
  }

  /** As {@code GET /sandbox/effects} answers it. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("job", job.toString()).put("requests", requests).put("effects", effects);
    ObjectNode providers = json.putObject("by_provider");
    byProvider.forEach(
        (name, counts) ->
            providers
                .putObject(name)
                .put("requests", counts.requests())
                .put("effects", counts.effects()));
    return json;
  }
}
