package dev.onejob.server.ui.desk;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Job;
import dev.onejob.server.http.problem.Problem;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at the desk.
 *
 * @param item null: it is not in doubt
 * @param problem why nothing was done; null: nothing was refused
 */
public record AttemptPage(
    Job job,
    Attempt attempt,
    DeskPage.@Nullable Item item,
    DeskPage.Powers powers,
    Filled filled,
    @Nullable Problem problem) {
  /** Whether there is something to decide for whoever looks. */
  public boolean open() {
    return item != null && powers == DeskPage.Powers.DECIDES;
  }
}
