package dev.onejob.server.http.operation;

import dev.onejob.engine.Proofs;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.wire.ProofWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code GET /v1/providers}: the providers of this node, and whether they answer. */
final class ListProviders implements Operation {
  private final Proofs proofs;

  ListProviders(Proofs proofs) {
    this.proofs = proofs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Answers.ok(ctx, ProofWriter.writeProviders(proofs.providers()));
  }
}
