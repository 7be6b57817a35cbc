package dev.onejob.server.http.operation;

import dev.onejob.domain.QualificationRun;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.QualificationWriter;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.qualification.Qualifier.Prospect;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code POST /v1/qualification-runs}: opens runs, or carries on those that are open. */
final class StartQualification implements Operation {
  private static final Set<String> MEMBERS = Set.of("kind", "providers", "dry_run");

  private final Qualifier qualifier;

  StartQualification(Qualifier qualifier) {
    this.qualifier = qualifier;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    String kind = Members.required("kind", members.text("kind"));
    List<String> named = members.texts("providers");
    List<Prospect> prospects =
        qualifier.prospects(kind, named == null ? List.of() : List.copyOf(named));
    if (members.truth("dry_run")) {
      Answers.ok(ctx, QualificationWriter.writeProspects(prospects));
    } else {
      Answers.created(ctx, QualificationWriter.write(opened(prospects, caller)));
    }
  }

  /** All or none: a name that cannot be used is told before anything is asked. */
  private List<QualificationRun> opened(List<Prospect> prospects, Credential caller) {
    for (Prospect each : prospects) {
      if (each.unusable() != null) {
        throw Problem.field("/providers", "Nothing was started: " + each.unusable() + ".");
      }
    }
    List<QualificationRun> runs = new ArrayList<>();
    for (Prospect each : prospects) {
      qualifier
          .runs()
          .run(qualifier.open(each.kind(), each.provider(), caller.name()))
          .ifPresent(runs::add);
    }
    return runs;
  }
}
