/**
 * The type {@code http-keyed}: a provider over HTTP that acts once for a key, as Stripe does. The
 * request is described in the configuration, and sent again under its key to end a doubt.
 *
 * <p>No state and no threads of its own; safe for many. What it does not understand is in doubt.
 */
@NullMarked
package dev.onejob.providers.httpkeyed;

import org.jspecify.annotations.NullMarked;
