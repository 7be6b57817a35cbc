/**
 * What the adapters of language models share: prompts made of templates, keys, the table of what
 * failures mean, the reading of answers whole or in a stream, and the verdict whether what a model
 * said is a result. A protocol's own words are its adapter's business. Safe for many threads, but
 * for what gathers one stream; whatever is not understood is in doubt.
 */
@NullMarked
package dev.onejob.providers.model;

import org.jspecify.annotations.NullMarked;
