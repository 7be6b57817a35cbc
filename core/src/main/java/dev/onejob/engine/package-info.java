/**
 * Everything that owns a thread or decides <em>when</em>: admission, dispatch, attempts, settling
 * and the sweep. {@link dev.onejob.engine.JobEngine} is the public face. It writes no SQL and knows
 * no HTTP.
 *
 * <p>Threads: callers bring their own; one virtual thread runs each attempt; one each polls for due
 * jobs, sweeps, listens for wake-ups and answers waiters. No connection is held while a provider
 * works. Whatever dies here is found again by the sweep on some node.
 */
@NullMarked
package dev.onejob.engine;

import org.jspecify.annotations.NullMarked;
