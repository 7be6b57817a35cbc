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

  /** Of several nodes that judge the same run, the first counts, with all that follows from it. */
  void draw(QualificationRun run, Promise promise, Candidate candidate, List<Entry> entries) {
    Transcript transcript = new Transcript(promise, candidate, entries, incumbent(run));
    Report report = Report.on(transcript, scope.prices(run.subject().provider()));
    State state = state(transcript, report);
    boolean first =
        passes.conclude(
            run,
            new QualificationRuns.Judged(
                run.id(), state, report.toJson().toString(), TranscriptJson.write(entries)),
            report.answeringModel());
    if (first) {
      tell(run, state, report);
    }
  }

  /** What is not known proves nothing, and disproves nothing either. */
  private static State state(Transcript transcript, Report report) {
    if (report.passes()) {
      return State.PASSED;
    }
    Report known = report.unanswered() == 0 ? report : Report.on(transcript.known(), null);
    return known.disproves() ? State.FAILED : State.INCONCLUSIVE;
  }

  private static void tell(QualificationRun run, State state, Report report) {
    LOG.info(
        "qualification {} of {} for {} ended as {}; {} of its questions have no answer; {}",
        run.id(),
        run.subject().provider(),
        run.subject().kind(),
        state.word(),
        report.unanswered(),
        report.judgements().stream()
            .filter(Judgement::blocks)
            .map(Judgement::check)
            .collect(Collectors.joining(", ", "no pass by: ", "")));
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
