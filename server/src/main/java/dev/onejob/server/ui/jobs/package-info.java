/**
 * The list of jobs: filters that look through a bounded number of jobs at a time and say so, and a
 * search that uses what is indexed already. {@link dev.onejob.server.ui.jobs.JobsExport} reads the
 * same list into a file, which is there whole before it is sent. Nothing here costs a job's own
 * life anything.
 */
@NullMarked
package dev.onejob.server.ui.jobs;

import org.jspecify.annotations.NullMarked;
