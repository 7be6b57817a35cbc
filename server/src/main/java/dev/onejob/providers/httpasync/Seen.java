package dev.onejob.providers.httpasync;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Finding;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a look at some work has shown. */
sealed interface Seen {
  /** It has not ended. */
  record AtWork() implements Seen {}

  /** It is done, and this is what it brought. */
  record Done(Result result, @Nullable String cost) implements Seen {}

  /** It is done, and its result is not here. */
  record DoneWithout(@Nullable String cost) implements Seen {}

  /** It is over without a result. */
  record Failed(Failure failure, Retryability retryability) implements Seen {
    /** The work is done and only its result is of no use: that end changes no more. */
    boolean isOfItsResult() {
      return !failure.code().equals(Reading.PROVIDER_FAILED);
    }
  }

  /** It was stopped. */
  record Stopped(String message) implements Seen {}

  /** No such work is known there. */
  record NotFound() implements Seen {}

  /**
   * Nothing was learned.
   *
   * @param retryAfter the provider's wish when to be asked again, or null
   */
  record Nothing(Failure why, @Nullable Duration retryAfter) implements Seen {}

  /** The same as an answer to a question about the work of that id. */
  default Finding finding(@Nullable String id) {
    return switch (this) {
      case AtWork w -> new Finding.AtWork(id);
      case Done done -> new Finding.Succeeded(done.result(), done.cost());
      case DoneWithout d ->
          new Finding.CannotSay(
              new Failure(Reading.RESULT_MISSING, "it is done, but its result is not there"));
      case Failed failed -> new Finding.Failed(failed.failure(), failed.retryability(), null);
      case Stopped stopped -> new Finding.Stopped(stopped.message());
      case NotFound n -> new Finding.NotFound();
      case Nothing nothing -> new Finding.CannotSay(nothing.why());
    };
  }
}
