package dev.onejob.engine;

import dev.onejob.domain.ClaimedAttempt;
import java.util.List;

/** What came of a claim. */
public sealed interface ClaimAnswer {
  /** These attempts are the worker's; none, if nothing was due for as long as it would wait. */
  record Taken(List<ClaimedAttempt> attempts) implements ClaimAnswer {}

  /** This node does not know the kind at that place of the list; another node may. */
  record UnknownKind(int place, String kind) implements ClaimAnswer {}

  /** So many wait for work on this node that it lets nobody else wait. */
  record Crowded() implements ClaimAnswer {}
}
