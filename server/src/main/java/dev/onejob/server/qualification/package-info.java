/**
 * Runs qualifications: each question is a job of a built-in kind, so that it is asked once, and the
 * runs are rows that any node can carry on. A pass over the open runs has one thread; it holds no
 * connection while a provider works, and what fails in it is tried again at the next turn.
 */
@NullMarked
package dev.onejob.server.qualification;

import org.jspecify.annotations.NullMarked;
