package dev.onejob.server.ui.jobs;

import org.jspecify.annotations.Nullable;

/**
 * One line of an export.
 *
 * @param inDoubt attempts in doubt
 * @param provider of the attempt whose result the job has, else of its last one; null: no attempt
 */
record ExportRow(JobRow job, int inDoubt, @Nullable String provider) {}
