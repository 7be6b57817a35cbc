/**
 * How one finds out what a node does: the form of its log, its metrics and its traces.
 *
 * <p>Counting is done in the threads that do the work and takes no lock; the database is asked at
 * most every few seconds, when somebody reads the metrics; traces are sent by a thread of their
 * own. Whatever fails here is logged, and harms no job.
 */
@NullMarked
package dev.onejob.server.observation;

import org.jspecify.annotations.NullMarked;
