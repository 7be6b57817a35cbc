package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.qualification.Qualifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One provider for one kind, with its history.
 *
 * @param passes newest first, the last few
 * @param runs newest first, the last few
 * @param prospect what a run would take; null in parts, which do not show it
 * @param problem why no run was started; null: nothing was refused
 */
public record CellPage(
    Cell cell,
    List<Qualification> passes,
    List<QualificationRun> runs,
    Qualifier.@Nullable Prospect prospect,
    @Nullable Problem problem) {
  /** Copies the lists. */
  public CellPage {
    passes = List.copyOf(passes);
    runs = List.copyOf(runs);
  }
}
