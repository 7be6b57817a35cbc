package dev.onejob.engine;

import java.util.List;
import java.util.UUID;

/**
 * A worker's wish for work.
 *
 * @param access whose jobs it may work on
 * @param credential the API key that it claims with
 * @param worker its name, for people and for the bound of what it may hold; 1 to 128 characters
 * @param request the id of this claim, the same for every try of it; 1 to 128 characters
 * @param kinds what it can do; not empty
 * @param count most attempts, from 1 to {@link dev.onejob.domain.Limits#CLAIM_ATTEMPTS_MAX}
 */
public record Claim(
    Access access, UUID credential, String worker, String request, List<String> kinds, int count) {
  public Claim {
    kinds = List.copyOf(kinds);
  }
}
