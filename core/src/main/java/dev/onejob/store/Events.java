package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import java.util.Optional;

/** Which attempt an event is about. */
public final class Events {
  private Events() {}

  /** The attempt that must be there already; empty for events about the job, and for starts. */
  public static Optional<AttemptId> attempt(JobEvent event) {
    return switch (event) {
      case JobEvent.Accepted e -> Optional.of(e.attempt());
      case JobEvent.Doubt e -> Optional.of(e.attempt());
      case JobEvent.Finish e -> Optional.of(e.attempt());
      case JobEvent.Fail e -> Optional.of(e.attempt());
      case JobEvent.Breached e -> Optional.of(e.attempt());
      case JobEvent.Stopped e -> Optional.of(e.attempt());
      case JobEvent.Untaken e -> Optional.of(e.attempt());
      case JobEvent.Silence e -> Optional.of(e.attempt());
      case JobEvent.Resolve e -> Optional.of(e.attempt());
      case JobEvent.ResolveDone e -> Optional.of(e.attempt());
      case JobEvent.Start e -> Optional.empty();
      case JobEvent.CancelRequest e -> Optional.empty();
      case JobEvent.Acknowledge e -> Optional.empty();
      case JobEvent.Reopen e -> Optional.empty();
      case JobEvent.Reroute e -> Optional.empty();
      case JobEvent.DeadlineReached e -> Optional.empty();
    };
  }
}
