package dev.onejob.server.http.operation;

import dev.onejob.domain.Limits;
import dev.onejob.domain.Qualification;
import dev.onejob.engine.Proofs;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.ProofWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code GET /v1/qualifications}: passes with their history, newest first. */
final class ListPasses implements Operation {
  private static final Set<String> PARAMETERS = Set.of("kind", "provider", "cursor", "limit");
  private static final int LIMIT = 50;

  private final Proofs proofs;

  ListPasses(Proofs proofs) {
    this.proofs = proofs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Parameters parameters = Parameters.of(ctx, PARAMETERS);
    Long before = parameters.read("cursor", "a cursor of this list", ListPasses::id);
    Integer given =
        parameters.read("limit", "a whole number from 1 to " + Limits.PAGE_MAX, ListPasses::limit);
    int limit = given == null ? LIMIT : given;
    List<Qualification> page =
        proofs.all(parameters.text("kind"), parameters.text("provider"), before, limit);
    String next = page.size() < limit ? null : Long.toString(page.getLast().id());
    Answers.ok(ctx, ProofWriter.writePage(page, next));
  }

  private static Long id(String text) {
    return Long.valueOf(text);
  }

  private static Integer limit(String text) {
    int limit = Integer.parseInt(text);
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new IllegalArgumentException(text);
    }
    return limit;
  }
}
