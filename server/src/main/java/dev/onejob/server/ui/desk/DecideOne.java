package dev.onejob.server.ui.desk;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Choice;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Then;
import dev.onejob.engine.DeskView;
import dev.onejob.engine.KindNotKnownException;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Faults;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt in doubt, or one job that waits for a word: what is known, and the decision. */
final class DecideOne {
  private static final Logger LOG = LoggerFactory.getLogger(DecideOne.class);

  private final DeskView view;
  private final DeskReader reader;
  private final Rules rules;
  private final Acts acts;

  DecideOne(DeskView view, DeskReader reader, Rules rules, Acts acts) {
    this.view = view;
    this.reader = reader;
    this.rules = rules;
    this.acts = acts;
  }

  void showAttempt(Visit visit) throws IOException {
    AttemptPage page = attempt(visit, PathIds.attempt(visit.context()), Filled.NOTHING, null);
    visit.pageOrPart("desk/attempt", "desk/attemptpart", title(page), page);
  }

  void decideAttempt(Visit visit) throws IOException {
    AttemptId id = PathIds.attempt(visit.context());
    Attempt seen = DeskReader.attempt(reader.jobOf(visit.reach(), id), id);
    Filled filled = Filled.of(visit.form());
    try {
      Acts.require(visit.who(), Set.of(Role.OPERATOR));
      var decision = filled.decision(visit.who().name());
      requireNotAtWork(seen);
      acts.asOf(visit.form().asOf()).resolve(visit.who(), id, decision);
    } catch (ProblemException | KindNotKnownException e) {
      Problem problem = Faults.of(visit.context(), e);
      AttemptPage page = attempt(visit, id, filled, problem);
      visit.refused("desk/attempt", title(page), problem, page);
      return;
    }
    visit.goTo(Place.DESK.path() + "/attempts/" + id);
  }

  /**
   * Abandoning is allowed of whatever is live. Who decides here decides about a doubt; what is at
   * work is abandoned elsewhere. That the job is still as it was shown is judged behind its lock.
   *
   * @throws ProblemException if it is at work
   */
  static void requireNotAtWork(Attempt attempt) {
    AttemptState state = attempt.standing().state();
    if (state == AttemptState.STARTING || state == AttemptState.RUNNING) {
      throw Problem.of(
              ProblemType.VERDICT_NOT_ALLOWED,
              "Nothing was changed: the attempt is not in doubt any more, it is "
                  + state.word()
                  + ".")
          .with("state", state.word())
          .asException();
    }
  }

  private AttemptPage attempt(Visit visit, AttemptId id, Filled filled, @Nullable Problem problem) {
    Job job = reader.jobOf(visit.reach(), id);
    DeskPage.Item item =
        view.inDoubt(visit.reach(), List.of(id)).stream().findFirst().map(rules::with).orElse(null);
    return new AttemptPage(
        job,
        DeskReader.attempt(job, id),
        item,
        DeskSection.powers(visit),
        filled,
        visit.query("shown"),
        problem);
  }

  private static String title(AttemptPage page) {
    return "Attempt "
        + page.attempt().standing().number()
        + " at "
        + page.attempt().standing().provider();
  }

  void showJob(Visit visit) throws IOException {
    JobPage page = job(visit, PathIds.job(visit.context()), Filled.NOTHING, null);
    visit.pageOrPart("desk/job", "desk/jobpart", title(page), page);
  }

  void decideJob(Visit visit) throws IOException {
    JobId id = PathIds.job(visit.context());
    Filled filled = Filled.of(visit.form());
    try {
      decide(visit, id, filled);
    } catch (ProblemException e) {
      JobPage page = job(visit, id, filled, e.problem());
      visit.refused("desk/job", title(page), e.problem(), page);
      return;
    }
    visit.goTo(Place.DESK.path() + "/jobs/" + id);
  }

  private void decide(Visit visit, JobId id, Filled filled) {
    Acts asShown = acts.asOf(visit.form().asOf());
    String startsAt = filled.startsAt();
    Then then = filled.then();
    if (startsAt != null) {
      String reason = filled.requiredReason();
      asShown.press(visit.who(), id, startsAt);
      log(visit, id, filled, reason);
    } else if (filled.isWhole() && filled.act().equals(Choice.Act.ACKNOWLEDGE.word())) {
      String reason = filled.requiredReason();
      asShown.acknowledge(visit.who(), id, then == null ? Then.WAIT : then, reason);
    } else if (filled.choice().equals(Choice.Act.CANCEL.word())) {
      String reason = filled.requiredReason();
      asShown.cancel(visit.who(), id);
      log(visit, id, filled, reason);
    } else {
      throw Problem.field("/choice", "Choose what is to be done. Nothing was changed.");
    }
  }

  /** The record of a job has no place for the reasons of starts and cancels; the log has. */
  private static void log(Visit visit, JobId id, Filled filled, String reason) {
    LOG.atInfo()
        .addKeyValue("job", id.toString())
        .addKeyValue("choice", filled.choice())
        .addKeyValue("by", visit.who().name())
        .addKeyValue("reason", reason.replaceAll("\\p{Cntrl}+", " "))
        .log("decided at the desk");
  }

  private JobPage job(Visit visit, JobId id, Filled filled, @Nullable Problem problem) {
    Job job = reader.job(visit.reach(), id);
    return new JobPage(
        job,
        view.decision(visit.reach(), id).map(rules::with).orElse(null),
        DeskSection.powers(visit),
        filled,
        visit.query("shown"),
        problem);
  }

  private static String title(JobPage page) {
    return "Job of the kind " + page.job().kind();
  }
}
