package dev.onejob.domain;

import org.jspecify.annotations.Nullable;

/**
 * A job as whoever waits for its end needs it: without what was tried, said and decided.
 *
 * @param result null while there is none, and once it was emptied
 */
public record JobGlance(JobId id, Owner owner, JobStanding standing, @Nullable Result result) {}
