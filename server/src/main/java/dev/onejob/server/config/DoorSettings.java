package dev.onejob.server.config;

import java.time.Duration;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAI door, as it is configured.
 *
 * @param chatCompletions the kind for each model, in the order of the file
 * @param responses the same for {@code /responses}
 * @param patience how long a request is held, from its arrival, for the end of its job
 * @param doubtPatience how long it waits of this for a job that is in doubt, or waits for a person
 * @param keepAlive after which silence a stream is told that its job is still at work
 * @param derivedKeysWindow how long after the end of its job the same request without a key still
 *     finds it; null: no keys are derived
 */
public record DoorSettings(
    SequencedMap<String, String> chatCompletions,
    SequencedMap<String, String> responses,
    Duration patience,
    Duration doubtPatience,
    Duration keepAlive,
    @Nullable Duration derivedKeysWindow) {}
