package dev.onejob.server.http.operation;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.util.Set;
import java.util.UUID;

/**
 * What a person can do with API keys: one way for the API and the dashboard. Safe for many threads.
 */
public final class KeyActs {
  private final ApiKeys keys;

  public KeyActs(ApiKeys keys) {
    this.keys = keys;
  }

  /**
   * Withdraws a key. No key withdraws itself, and of two that withdraw each other one stays: so
   * nobody locks everyone out by withdrawing the last one.
   *
   * @throws ProblemException if it is the caller's own, if that is withdrawn meanwhile, if there is
   *     none of that id, and for callers who are no operators
   */
  public void withdraw(Credential caller, UUID id) {
    Acts.require(caller, Set.of(Role.OPERATOR));
    if (id.equals(caller.id())) {
      throw Problem.of(
              ProblemType.KEY_IN_USE, "This is the key that the call was made with; use another.")
          .asException();
    }
    switch (keys.withdraw(id, caller.id())) {
      case DONE -> {}
      case NO_KEY -> throw Problem.notFound();
      case BY_NO_KEY ->
          throw Problem.of(
                  ProblemType.UNAUTHORIZED,
                  "The key that the call was made with has just been withdrawn. Nothing was done.")
              .asException();
    }
  }
}
