/**
 * What a provider is asked before it may act as a fallback (the plan), what came (the transcript),
 * and what that proves (the report). Pure: no clock, network, thread or database; an answer that
 * cannot be read is a fault of the provider that gave it, never an exception.
 */
@NullMarked
package dev.onejob.qualification;

import org.jspecify.annotations.NullMarked;
