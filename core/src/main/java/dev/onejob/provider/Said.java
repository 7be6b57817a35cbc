package dev.onejob.provider;

import org.jspecify.annotations.Nullable;

/**
 * What a model said, in the provider's own words and before anybody judged it.
 *
 * @param text of the answer; null if there was none
 * @param finish why it stopped
 * @param model who answers
 * @param fingerprint of the system behind it
 * @param refusal where the provider has a place of its own for one
 * @param usage its own figures, as JSON
 */
public record Said(
    @Nullable String text,
    @Nullable String finish,
    @Nullable String model,
    @Nullable String fingerprint,
    @Nullable String refusal,
    @Nullable String usage) {}
