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
  private static final String NO_RUN = "none";

  /** As of which run the form is shown. */
  public String mark() {
    return mark(runs.isEmpty() ? null : runs.getFirst().id().toString());
  }

  /** The same of the newest run; null: there is none. */
  static String mark(@Nullable String newest) {
    return newest == null ? NO_RUN : newest;
  }

  /** Copies the lists. */
  public CellPage {
    passes = List.copyOf(passes);
    runs = List.copyOf(runs);
  }
}
