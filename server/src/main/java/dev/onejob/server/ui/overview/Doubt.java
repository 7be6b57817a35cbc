package dev.onejob.server.ui.overview;

import dev.onejob.server.ui.overview.Overview.Count;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is in doubt.
 *
 * @param attempts whose jobs have no result yet
 * @param oldest since when the oldest of those that were counted has been in doubt; null: none is
 */
public record Doubt(Count attempts, @Nullable Instant oldest) {}
