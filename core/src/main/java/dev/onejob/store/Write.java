package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import org.jspecify.annotations.Nullable;

/** A frequent move on its short way: see {@link ShortWay}. */
public sealed interface Write {
  /** The job that it touches. */
  JobId job();

  /** About how much it carries, in bytes. */
  int bytes();

  /**
   * The birth of a job.
   *
   * @param start of its first attempt, at the first provider of its route, in the same moment, with
   *     its {@link MoveRequest.Departure}; null: the job waits to be started
   */
  record Admit(NewJob newJob, @Nullable MoveRequest start) implements Write {
    @Override
    public JobId job() {
      return newJob.id();
    }

    @Override
    public int bytes() {
      return newJob.input().length;
    }
  }

  /** The start of an attempt, with its {@link MoveRequest.Departure}. */
  record Start(MoveRequest request) implements Write {
    @Override
    public JobId job() {
      return request.job();
    }

    @Override
    public int bytes() {
      return 0;
    }
  }

  /** The claim of the slot by a result, with its {@link MoveRequest.Payload}. */
  record ClaimSlot(MoveRequest request) implements Write {
    @Override
    public JobId job() {
      return request.job();
    }

    @Override
    public int bytes() {
      return request.payloadBytes();
    }
  }

  /** What became of it. */
  sealed interface Written {}

  /**
   * The job is made.
   *
   * @param started whether its first attempt was started with it; if not, it is queued
   */
  record Born(Admissions.Birth birth, boolean started) implements Written {
    /** What its key is bound to now. */
    public Admissions.Bound bound(NewJob job) {
      return new Admissions.Bound(job.id(), job.fingerprint(), birth, started);
    }
  }

  /** The move is made. */
  record Moved(Answer answer) implements Written {}

  /** The short way does not say yes, and nothing was written for it: look again, the long way. */
  record NotWritten() implements Written {}

  /** The one of its kind. */
  NotWritten NOT_WRITTEN = new NotWritten();
}
