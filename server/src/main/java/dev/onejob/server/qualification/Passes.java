package dev.onejob.server.qualification;

import dev.onejob.domain.QualificationRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The passes that automatic failover rests on. */
public interface Passes {
  /**
   * Keeps a pass. Saying so twice is the same as once.
   *
   * @param answeringModel by its own word; null if it gave none
   */
  void passed(QualificationRun run, @Nullable String answeringModel);

  /** A run of this provider failed: what it may have held is no longer proved. */
  void failed(QualificationRun run);

  /** The passes that expire soon. */
  List<Due> due();

  /** What is to be proved anew. */
  record Due(String kind, String provider) {}
}
