package dev.onejob.bench;

import dev.onejob.domain.Result;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;

/** Answers at once with the input. */
final class NoOpProvider implements Provider {
  @Override
  public Capabilities capabilities() {
    return Capabilities.NONE;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) {
    return new Outcome.Succeeded(new Result(Result.Format.JSON, request.input()), null);
  }
}
