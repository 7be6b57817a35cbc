/**
 * The OpenAI door, as far as it is pure: what a request of a client of OpenAI's API asks for, and
 * what such a client is answered. Values and functions without threads of their own; a request that
 * cannot be served ends in a {@link dev.onejob.server.http.problem.ProblemException}.
 */
@NullMarked
package dev.onejob.server.http.door;

import org.jspecify.annotations.NullMarked;
