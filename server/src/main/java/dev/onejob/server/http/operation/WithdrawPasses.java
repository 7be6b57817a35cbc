package dev.onejob.server.http.operation;

import dev.onejob.domain.Qualification;
import dev.onejob.engine.Proofs;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.ProofWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code POST /v1/qualifications/withdraw}: from now on no job goes there by itself. */
final class WithdrawPasses implements Operation {
  private static final Set<String> MEMBERS = Set.of("kind", "provider", "reason");

  private final Proofs proofs;

  WithdrawPasses(Proofs proofs) {
    this.proofs = proofs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    String kind = Members.required("kind", members.text("kind"));
    String provider = Members.required("provider", members.text("provider"));
    String reason = DecisionBody.reason(members);
    List<Qualification> withdrawn = proofs.withdraw(kind, provider, reason, caller.name());
    if (withdrawn.isEmpty()) {
      throw Problem.notFound();
    }
    Answers.ok(ctx, ProofWriter.writePage(withdrawn, null));
  }
}
