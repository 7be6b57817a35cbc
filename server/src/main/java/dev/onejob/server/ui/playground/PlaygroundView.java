package dev.onejob.server.ui.playground;

import org.jspecify.annotations.Nullable;

/**
 * What the page shows.
 *
 * @param choice what the form is filled in with; null: there is no playground here
 * @param run null: none was asked for
 */
public record PlaygroundView(@Nullable Choice choice, @Nullable RunView run) {}
