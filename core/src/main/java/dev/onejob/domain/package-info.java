/**
 * The product in one sitting: values, states, events and {@link dev.onejob.domain.Lifecycle}, the
 * pure function that decides every move. Nothing here reads a clock, a socket or a database; time
 * and randomness arrive as parameters.
 */
@NullMarked
package dev.onejob.domain;

import org.jspecify.annotations.NullMarked;
