/**
 * The soak: several nodes and workers over one PostgreSQL and one provider, under load, while they
 * are killed, frozen and cut off by a printed seed; and the checker that judges what is left.
 *
 * <p>The checker ({@link dev.onejob.soak.Checker}) is pure and knows only what was recorded: the
 * answers that clients got, a dump of the tables, and the provider's own ledger. All else acts on
 * threads of its own, each ended by {@link dev.onejob.soak.Actor#stop()}; what fails in one of them
 * for another reason than the trouble that is made ends the run with an error.
 */
@NullMarked
package dev.onejob.soak;

import org.jspecify.annotations.NullMarked;
