/**
 * A provider that plays any provider, as the job's own input tells it to, over a real socket. What
 * really happened is counted in a ledger of its own, so that people and tests can compare it with
 * what the jobs say.
 */
@NullMarked
package dev.onejob.providers.sandbox;

import org.jspecify.annotations.NullMarked;
