package dev.onejob.server.ui.desk;

import dev.onejob.domain.Job;
import dev.onejob.server.http.problem.Problem;
import org.jspecify.annotations.Nullable;

/**
 * A job that is contested or waits for a decision, at the desk.
 *
 * @param item null: it does neither
 * @param problem why nothing was done; null: nothing was refused
 */
public record JobPage(
    Job job, DeskPage.@Nullable Item item, Filled filled, @Nullable Problem problem) {}
