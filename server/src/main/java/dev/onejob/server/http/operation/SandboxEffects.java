package dev.onejob.server.http.operation;

import dev.onejob.domain.JobId;
import tools.jackson.databind.JsonNode;

/** How often the sandbox providers acted for a job. */
@FunctionalInterface
public interface SandboxEffects {
  /** {@code {"job", "requests", "effects", "by_provider"}}. */
  JsonNode of(JobId job);
}
