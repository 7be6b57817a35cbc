package dev.onejob.server.config;

import dev.onejob.domain.CircuitPolicy;
import dev.onejob.domain.Prices;
import dev.onejob.engine.ProbePolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A provider as it is configured.
 *
 * @param type its name
 * @param inFlightMax calls at once on one node
 * @param probes how it is asked about attempts in doubt
 * @param circuit when it is left alone because it does not answer
 * @param prices what it asks; null: nobody has written it down
 * @param own the settings of its type, checked by the schema of the type
 */
public record ProviderSettings(
    String name,
    String type,
    int inFlightMax,
    ProbePolicy probes,
    CircuitPolicy circuit,
    @Nullable Prices prices,
    JsonNode own) {}
