/**
 * How providers sign what they send: over the raw bytes, with a window on both sides of the clock,
 * compared in constant time. Nothing here keeps a state but the public keys that a provider
 * publishes, for a while. Safe for many threads.
 */
@NullMarked
package dev.onejob.providers.signature;

import org.jspecify.annotations.NullMarked;
