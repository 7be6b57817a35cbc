/**
 * Anthropic's Messages, whole or in a stream. One request per attempt; what an answer means stands
 * in a table, and whatever is not in the table is doubt: a message cannot be fetched again.
 */
@NullMarked
package dev.onejob.providers.anthropic;

import org.jspecify.annotations.NullMarked;
