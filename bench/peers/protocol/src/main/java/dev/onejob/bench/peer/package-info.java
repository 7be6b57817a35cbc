/**
 * What the bench says to a contestant in a process of its own, and what it hears from it: one line
 * each, over standard input and output. A contestant in Java implements {@link
 * dev.onejob.bench.peer.Peer}; the scenes are played here, the same for all. Submitters are virtual
 * threads; a fault of the contestant becomes an answer that names it.
 */
@NullMarked
package dev.onejob.bench.peer;

import org.jspecify.annotations.NullMarked;
