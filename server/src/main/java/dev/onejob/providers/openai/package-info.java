/**
 * Chat completions at any endpoint that speaks OpenAI's protocol, whole or in a stream. One request
 * per attempt; what an answer means stands in a table, and whatever is not in the table is doubt.
 */
@NullMarked
package dev.onejob.providers.openai;

import org.jspecify.annotations.NullMarked;
