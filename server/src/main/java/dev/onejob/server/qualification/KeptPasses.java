package dev.onejob.server.qualification;

import dev.onejob.domain.Kind;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.engine.Proofs;
import dev.onejob.server.config.Validity;
import dev.onejob.store.QualificationRuns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The passes that the engine's own proofs are. */
public final class KeptPasses implements Passes {
  /** So often a renewal is begun at most, while none of them tells anything. */
  private static final int RENEWALS_MAX = 4;

  private final Proofs proofs;
  private final QualificationRuns runs;
  private final Scope scope;
  private final Function<String, Validity> validities;
  private final InstantSource clock;
  private Instant nextLook = Instant.EPOCH;

  /**
   * Kept by the engine.
   *
   * @param validities by kind
   */
  public KeptPasses(
      Proofs proofs,
      QualificationRuns runs,
      Scope scope,
      Function<String, Validity> validities,
      InstantSource clock) {
    this.proofs = proofs;
    this.runs = runs;
    this.scope = scope;
    this.validities = validities;
    this.clock = clock;
  }

  @Override
  public boolean conclude(
      QualificationRun run, QualificationRuns.Judged judged, @Nullable String answeringModel) {
    String kind = run.subject().kind();
    String provider = run.subject().provider();
    Qualification.Pass pass =
        new Qualification.Pass(
            kind,
            provider,
            scope.binding(kind, provider),
            answeringModel,
            run.id().toString(),
            validities.apply(kind).validFor());
    return proofs.conclude(judged, pass, "qualification");
  }

  private List<Qualification> newest(String kind, String provider) {
    return proofs.all(kind, provider, null, 1);
  }

  /** Looked for once a minute. */
  @Override
  public List<Due> due() {
    Instant now = clock.instant();
    if (now.isBefore(nextLook)) {
      return List.of();
    }
    nextLook = now.plus(Duration.ofMinutes(1));
    List<Due> due = new ArrayList<>();
    for (Kind kind : scope.kinds().values()) {
      Validity validity = validities.apply(kind.name());
      for (String provider : kind.route()) {
        if (scope.unusable(kind.name(), provider).isEmpty()) {
          newest(kind.name(), provider).stream()
              .filter(pass -> isDue(pass, validity, now))
              .forEach(pass -> due.add(new Due(kind.name(), provider)));
        }
      }
    }
    return due;
  }

  /**
   * Of what holds now and soon will not; once: a renewal that fails is not made again and again.
   * One that has told nothing is made anew, after a part of the time that is left for it.
   */
  private boolean isDue(Qualification pass, Validity validity, Instant now) {
    Instant from = pass.validUntil().minus(validity.renewBefore());
    return !validity.renewBefore().isZero()
        && !now.isBefore(from)
        && pass.holds(scope.binding(pass.kind(), pass.provider()), now)
        && runs.list(pass.kind(), pass.provider(), 1).stream()
            .noneMatch(run -> stands(run, from, validity, now));
  }

  /** Whether a run is the renewal, or leaves too little time for another one. */
  private static boolean stands(
      QualificationRun run, Instant from, Validity validity, Instant now) {
    return !run.createdAt().isBefore(from)
        && switch (run.state()) {
          case RUNNING, STOPPED, PASSED, FAILED -> true;
          case INCONCLUSIVE, OUTDATED ->
              now.isBefore(run.createdAt().plus(validity.renewBefore().dividedBy(RENEWALS_MAX)));
        };
  }
}
