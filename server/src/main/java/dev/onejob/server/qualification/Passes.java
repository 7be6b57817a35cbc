package dev.onejob.server.qualification;

import dev.onejob.domain.QualificationRun;
import dev.onejob.store.QualificationRuns;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The passes that automatic failover rests on. */
public interface Passes {
  /**
   * Ends a run, and with it, all or nothing, keeps the pass that it proves or withdraws what the
   * provider held under the very same binding.
   *
   * @param answeringModel by its own word; null if it gave none
   * @return false if the run was not running any more: another node has judged it, or it was
   *     stopped; nothing was changed
   */
  boolean conclude(
      QualificationRun run, QualificationRuns.Judged judged, @Nullable String answeringModel);

  /** The passes that expire soon. */
  List<Due> due();

  /** What is to be proved anew. */
  record Due(String kind, String provider) {}
}
