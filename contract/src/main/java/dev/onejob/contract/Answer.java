package dev.onejob.contract;

import dev.onejob.domain.Result;
import dev.onejob.provider.Finish;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it came from a provider.
 *
 * @param finish why the provider stopped; only {@link Finish#NORMAL} can keep a contract
 * @param usage what the provider said it used and cost, in its own words; null if it said nothing
 */
public record Answer(Result result, Finish finish, @Nullable String usage) {
  /** An answer that ended as it should. */
  public static Answer of(Result result) {
    return new Answer(result, Finish.NORMAL, null);
  }
}
