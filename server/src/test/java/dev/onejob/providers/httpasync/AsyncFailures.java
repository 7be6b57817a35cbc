package dev.onejob.providers.httpasync;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.util.List;

/**
 * The table of failures of the request that submits the work: by it alone anything is done. The
 * provider answers questions as it answered the submit.
 */
interface AsyncFailures extends FailureTableContract {
  /** Its schema is read once. */
  HttpAsyncType TYPE = new HttpAsyncType();

  @Override
  default ProviderType type() {
    return TYPE;
  }

  @Override
  default String mediaType() {
    return "application/json";
  }

  @Override
  default List<String> cuts() {
    String good = good();
    return List.of(
        "", "{", good.substring(0, good.length() / 2), good.substring(0, good.length() - 1));
  }

  /** Every success that names the work has taken it; 204 has no body to name it in. */
  @Override
  default boolean isGoodUnder(int status) {
    return status >= 200 && status < 300 && status != 204;
  }

  /** The id was not read, and the work may go on. */
  @Override
  default Class<? extends Outcome> oversize() {
    return Outcome.InDoubt.class;
  }

  /** A success that names no work is not understood, whatever else it says. */
  @Override
  default Class<? extends Outcome> unauthorised() {
    return Outcome.InDoubt.class;
  }
}
