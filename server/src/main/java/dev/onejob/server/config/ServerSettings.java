package dev.onejob.server.config;

import java.time.Duration;

/**
 * How a node serves.
 *
 * @param port 0 for any that is free
 * @param node its name, for people
 * @param slots attempts at once, all kinds together
 */
public record ServerSettings(
    String host, int port, String node, int slots, Duration pollInterval, Duration sweepInterval) {}
