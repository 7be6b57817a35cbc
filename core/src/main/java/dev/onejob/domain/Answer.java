package dev.onejob.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of an event. Losing is an answer, never a silence. */
public sealed interface Answer {
  /** The job or the attempt moved. */
  record Moved() implements Answer {}

  /** A fresh attempt may leave, fenced by this version. */
  record Started(AttemptId attempt, int number, long jobVersion) implements Answer {}

  /**
   * No fresh attempt may leave.
   *
   * @param blocking the live attempt in the way, where one is
   * @param notBefore when it may be asked again, where the clock alone is in the way
   */
  record StartRefused(StartRefusal why, @Nullable AttemptId blocking, @Nullable Instant notBefore)
      implements Answer {}

  /** The result came after the slot had gone to another attempt. */
  record Lost(AttemptId winner) implements Answer {}

  /** The same was said before; nothing changed and the answer is as it was then. */
  record Repeated() implements Answer {}

  /** The attempt had ended already: the report is kept as evidence and changes no result. */
  record Recorded(Contest contest) implements Answer {}

  /** The event does not fit the state; nothing changed. */
  record NotAllowed(String why) implements Answer {}

  /** The job is not any more as it was seen by whoever asked; nothing changed. */
  record Changed() implements Answer {}

  /** Whether a report put the job in question. */
  enum Contest {
    /** It says nothing that the record does not already say. */
    NONE,
    /** It says that an attempt acted which is on record as not having done so, or abandoned. */
    CONTESTED
  }
}
