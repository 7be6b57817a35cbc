package dev.onejob.server.ui.overview;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is in doubt.
 *
 * @param attempts whose jobs have no result yet
 * @param oldest since when the oldest has been in doubt; null: none is
 */
public record Doubt(long attempts, @Nullable Instant oldest) {}
