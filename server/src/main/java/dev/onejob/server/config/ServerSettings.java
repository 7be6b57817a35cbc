package dev.onejob.server.config;

import dev.onejob.engine.EngineConfig;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a node serves.
 *
 * @param port 0 for any that is free
 * @param node its name, for people
 * @param slots attempts at once, all kinds together
 * @param holding how it holds on to its attempts
 * @param publicUrl of the API, as providers reach it, without a slash at its end; null: they cannot
 */
public record ServerSettings(
    String host,
    int port,
    String node,
    int slots,
    Duration pollInterval,
    Duration sweepInterval,
    EngineConfig.Holding holding,
    @Nullable URI publicUrl) {}
