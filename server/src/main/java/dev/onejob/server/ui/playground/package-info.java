/**
 * The page on which a newcomer breaks things on purpose: the same clicks go through the engine on
 * one side and out in the usual way on the other, both for real, to the same sandbox, which counts
 * what really happened.
 *
 * <p>A run has three virtual threads, one for each side and one that looks at both, and lives in
 * the memory of its node; {@link dev.onejob.server.ui.playground.Runs} bounds how many there are
 * and how long they last. Pages read what a run has noted and never the database. What fails on a
 * side is a step of that side; a run tidies up after itself, so that nothing of it stays on the
 * desk.
 */
@NullMarked
package dev.onejob.server.ui.playground;

import org.jspecify.annotations.NullMarked;
