/**
 * Answers as JSON text, written member by member so that the hot path reflects on nothing. Inputs
 * and JSON results go out as the very bytes that are stored.
 */
@NullMarked
package dev.onejob.server.http.wire;

import org.jspecify.annotations.NullMarked;
