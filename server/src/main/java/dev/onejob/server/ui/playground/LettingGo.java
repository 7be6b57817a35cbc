package dev.onejob.server.ui.playground;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Then;
import dev.onejob.engine.Access;
import dev.onejob.engine.JobEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lets go of a job when its run is over, and notes what was answered to each wish. */
final class LettingGo {
  private static final String OVER = "the playground's run is over";

  private final JobEngine engine;
  private final String who;
  private final Journal journal;

  /**
   * Signs with a name.
   *
   * @param who stands at what is decided
   */
  LettingGo(JobEngine engine, String who, Journal journal) {
    this.engine = engine;
    this.who = who;
    this.journal = journal;
  }

  /**
   * Leaves nothing of a job on the desk.
   *
   * @param left as it was seen just now
   */
  void of(Job left) {
    if (left.standing().contested()) {
      Optional<Answer> answer = engine.acknowledge(left.id(), Then.WAIT, OVER, who);
      journal.note(
          "The job is contested: what was abandoned has acted",
          "The playground acknowledges it: "
              + Said.briefly(answer)
              + ". In earnest a person does, at the desk.");
    }
    if (OnejobSide.quiet(left.standing())) {
      return;
    }
    JobState state = left.standing().state();
    journal.note(
        state.terminal()
            ? "The run is over, and an attempt is still live"
            : "The run is over, and the job is still " + state.word(),
        answers(left) + " In earnest this waits for evidence, a rule or a person.");
  }

  private String answers(Job left) {
    List<String> answers = new ArrayList<>();
    if (!left.standing().state().terminal()) {
      Optional<Answer> answer = engine.cancel(Access.of(left.owner()), left.id());
      answers.add("So that nothing stays on the desk, the job is cancelled: " + said(answer));
    }
    for (Attempt each : left.attempts()) {
      if (OnejobSide.state(each).live()) {
        Optional<Answer> answer = engine.resolve(each.standing().id(), Said.abandoning(OVER, who));
        answers.add("Attempt " + each.standing().number() + " is abandoned: " + said(answer));
      }
    }
    return String.join(" ", answers);
  }

  private static String said(Optional<Answer> answer) {
    return Said.briefly(answer) + ".";
  }
}
