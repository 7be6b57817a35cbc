package dev.onejob.server.ui.desk;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.engine.DeskView;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Deeds;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Unsure;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
    String here = Place.DESK.path() + "/attempts/" + id;
    Filled filled = Filled.of(visit.form());
    try {
      Attempt seen = DeskReader.attempt(reader.jobOf(visit.reach(), id), id);
      Acts.require(visit.who(), Set.of(Role.OPERATOR));
      var decision = filled.decision(visit.who().name());
      requireNotAtWork(seen);
      requireForeseen(visit, filled, view.inDoubt(visit.reach(), List.of(id)).stream().findFirst());
      acts.asOf(visit.form().asOf()).resolve(visit.who(), id, decision);
    } catch (RuntimeException e) {
      refused(visit, here, visit.fault(e), problem -> shown(attempt(visit, id, filled, problem)));
      return;
    }
    visit.goTo(here);
  }

  /** Makes a page that is shown again. */
  private interface Again {
    Refusal page(Problem problem);
  }

  /** A page, and how it is shown. */
  private record Refusal(String template, String title, Object it) {}

  private static void refused(Visit visit, String here, Problem problem, Again again)
      throws IOException {
    Refusal shown;
    try {
      shown = again.page(problem);
    } catch (RuntimeException e) {
      visit.unread("Desk", here, problem, e);
      return;
    }
    visit.refused(shown.template(), shown.title(), problem, shown.it());
  }

  /**
   * What a choice does depends on more than the job: on what providers have proved, and whether
   * they answer. Compared just before it is done; that the job is as it was shown is judged behind
   * its lock.
   *
   * @param item as it is now; of one that is gone, or is no such choice any more, the act says so
   * @throws ProblemException if the chosen act would do something else than the page had shown
   */
  private static void requireForeseen(Visit visit, Filled filled, Optional<DeskItem> item) {
    String shown = visit.form().exact(Says.FORESEEN + filled.choice());
    item.stream()
        .flatMap(each -> each.choices().stream())
        .filter(each -> Says.value(each).equals(filled.choice()))
        .filter(each -> !Says.foresees(each).equals(shown))
        .findFirst()
        .ifPresent(
            each -> {
              throw foreseenOtherwise();
            });
  }

  /** What is said where a choice would do something else than was shown. */
  static ProblemException foreseenOtherwise() {
    return Problem.of(
            ProblemType.JOB_CHANGED,
            "What this choice does has changed since it was shown. Nothing was changed by this;"
                + " look again at what it would do now.")
        .asException();
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
        Unsure.mark(problem, visit.form(), Mark.of(job)),
        problem);
  }

  private static Refusal shown(AttemptPage page) {
    return new Refusal("desk/attempt", title(page), page);
  }

  private static Refusal shown(JobPage page) {
    return new Refusal("desk/job", title(page), page);
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
    String here = Place.DESK.path() + "/jobs/" + id;
    Filled filled = Filled.of(visit.form());
    try {
      if (filled.act().equals(Choice.Act.ACKNOWLEDGE.word())) {
        Acts.require(visit.who(), Set.of(Role.OPERATOR));
      }
      requireForeseen(visit, filled, view.decision(visit.reach(), id));
      decide(visit, id, filled);
    } catch (RuntimeException e) {
      refused(visit, here, visit.fault(e), problem -> shown(job(visit, id, filled, problem)));
      return;
    }
    visit.goTo(here);
  }

  private void decide(Visit visit, JobId id, Filled filled) {
    Deeds asShown = acts.asOf(visit.form().asOf());
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
        Unsure.mark(problem, visit.form(), Mark.of(job)),
        problem);
  }

  private static String title(JobPage page) {
    return "Job of the kind " + page.job().kind();
  }
}
