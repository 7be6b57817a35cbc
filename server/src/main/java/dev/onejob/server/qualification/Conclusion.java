package dev.onejob.server.qualification;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Promise;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import dev.onejob.qualification.report.Report;
import dev.onejob.store.QualificationRuns;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Judges a run that has all its answers, and keeps what it proves. */
record Conclusion(QualificationRuns runs, Passes passes, Scope scope) {
  private static final Logger LOG = LoggerFactory.getLogger(Conclusion.class);

  /** The pass is kept first: a run that says that it passed has its pass. */
  void draw(QualificationRun run, Promise promise, Candidate candidate, List<Entry> entries) {
    Report report =
        Report.on(
            new Transcript(promise, candidate, entries, incumbent(run)),
            scope.prices(run.subject().provider()));
    if (report.passes()) {
      passes.passed(run, report.answeringModel());
    } else {
      passes.failed(run);
    }
    runs.finish(
        run.id(),
        report.passes() ? State.PASSED : State.FAILED,
        report.toJson().toString(),
        TranscriptJson.write(entries));
    LOG.info(
        "qualification {} of {} for {} {}{}",
        run.id(),
        run.subject().provider(),
        run.subject().kind(),
        report.passes() ? "passed" : "failed: ",
        report.judgements().stream()
            .filter(Judgement::blocks)
            .map(Judgement::check)
            .collect(Collectors.joining(", ")));
  }

  /** What the route's first provider answered last under the same contract. */
  private List<Entry> incumbent(QualificationRun run) {
    String first = scope.first(run.subject().kind());
    return first.equals(run.subject().provider())
        ? List.of()
        : runs.last(run.subject().kind(), first, run.subject().contractHash())
            .map(last -> TranscriptJson.read(last.transcript()))
            .orElse(List.of());
  }
}
