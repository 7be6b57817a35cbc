/**
 * The seam to the outside: a {@link dev.onejob.provider.Provider} takes one request and says in a
 * sealed {@link dev.onejob.provider.Outcome} what became of it. An adapter owns its connections and
 * nothing else; it knows neither the engine nor the database, and it never retries.
 */
@NullMarked
package dev.onejob.provider;

import org.jspecify.annotations.NullMarked;
