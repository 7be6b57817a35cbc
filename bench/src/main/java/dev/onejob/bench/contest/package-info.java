/**
 * Onejob beside other job systems and beside what hand-written SQL makes of the same tables: every
 * contestant in a process of its own, against the same PostgreSQL, in rounds that take turns. One
 * thread plays everything; a contestant that fails or counts wrong has no figures in that round,
 * and the report says why.
 */
@NullMarked
package dev.onejob.bench.contest;

import org.jspecify.annotations.NullMarked;
