package dev.onejob.server.http.operation;

import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.engine.DeskFilter;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.DeskCursor;
import dev.onejob.server.http.request.Parameters;

/** What the lists of what waits for a person have in common. */
final class DeskParameters {
  private static final int LIMIT_DEFAULT = 50;

  private DeskParameters() {}

  static DeskFilter read(Parameters parameters, Credential caller) {
    Owner owner = parameters.read("owner", "the name of an owner", Owner::new);
    if (owner != null && caller.role() != Role.OPERATOR) {
      throw Problem.parameter("owner", "Only an operator key chooses among owners.");
    }
    DeskItem.Place after =
        parameters.read("cursor", "the next_cursor of an earlier page", DeskCursor::read);
    Integer limit =
        parameters.read("limit", "a whole number from 1 to " + Limits.PAGE_MAX, ListJobs::limit);
    return new DeskFilter(
        owner,
        parameters.read("kind", "the name of a kind", DeskParameters::name),
        parameters.read("provider", "the name of a provider", DeskParameters::name),
        after,
        limit == null ? LIMIT_DEFAULT : limit);
  }

  private static String name(String text) {
    return ListJobs.name(text, Limits.NAME_CHARS_MAX);
  }
}
