package dev.onejob.server.ui.desk;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.engine.Decision;
import dev.onejob.engine.DeskView;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One verdict about several attempts of one kind at one provider: the list is shown, then what is
 * going to be done to each, then what came of each. Each is resolved by itself, as by the API.
 */
final class DecideSeveral {
  /** At once: a list that a person still reads. */
  static final int SEVERAL_MAX = 100;

  private static final String TITLE = "Decide together";
  private static final List<SeveralPage.Offer> OFFERS =
      List.of(
          offer(Choice.Act.NOT_DONE, Then.RETRY),
          offer(Choice.Act.NOT_DONE, Then.WAIT),
          offer(Choice.Act.STILL_RUNNING, null),
          offer(Choice.Act.ABANDON, Then.WAIT),
          offer(Choice.Act.ABANDON, Then.RETRY));

  private final DeskView view;
  private final DeskReader reader;
  private final Acts acts;

  DecideSeveral(DeskView view, DeskReader reader, Acts acts) {
    this.view = view;
    this.reader = reader;
    this.acts = acts;
  }

  private static SeveralPage.Offer offer(Choice.Act act, @Nullable Then then) {
    return new SeveralPage.Offer(
        Says.value(act.word(), then), Says.name(act, then), Says.means(act));
  }

  void show(Visit visit) throws IOException {
    Acts.require(visit.who(), Set.of(Role.OPERATOR));
    DeskFilters group = DeskFilters.of(visit);
    visit.page("desk/several", TITLE, list(visit, group, new Chosen(null, Filled.NOTHING), null));
  }

  /**
   * What was ticked and filled in.
   *
   * @param ids null: nobody has ticked yet, and all are
   */
  private record Chosen(@Nullable List<String> ids, Filled filled) {}

  private SeveralPage list(
      Visit visit, DeskFilters group, Chosen chosen, @Nullable Problem problem) {
    requireGroup(group);
    DeskItem.Page found = view.open(visit.reach(), group.read(SEVERAL_MAX));
    List<DeskItem> listed = found.items();
    Set<String> ticked =
        chosen.ids() == null
            ? listed.stream()
                .map(DecideSeveral::id)
                .map(AttemptId::toString)
                .collect(Collectors.toSet())
            : new HashSet<>(chosen.ids());
    return new SeveralPage(
        group.kind(),
        group.provider(),
        group.owner(),
        listed,
        OFFERS,
        ticked,
        found.next() != null ? SeveralPage.More.OLDEST_ONLY : SeveralPage.More.NONE,
        chosen.filled(),
        problem);
  }

  private static void requireGroup(DeskFilters group) {
    if (group.kind().isEmpty() || group.provider().isEmpty()) {
      throw Problem.parameter(
          group.kind().isEmpty() ? "kind" : "provider",
          "Several attempts are decided at once only if they share kind and provider.");
    }
  }

  private static AttemptId id(DeskItem item) {
    return new AttemptId(item.id());
  }

  void decide(Visit visit) throws IOException {
    Acts.require(visit.who(), Set.of(Role.OPERATOR));
    DeskFilters group = group(visit);
    Filled filled = Filled.of(visit.form());
    List<String> texts = visit.form().all("id");
    try {
      requireGroup(group);
      List<AttemptId> ids = ids(texts);
      Decision decision = decision(filled, visit.who().name());
      List<DeskItem> items = view.inDoubt(visit.reach(), ids);
      requireOneGroup(items, group);
      if (visit.form().text("confirmed") == null) {
        confirm(visit, group, filled, ids, items);
      } else {
        visit.page("desk/severaldone", TITLE, done(visit, group, filled, decision, ids, items));
      }
    } catch (RuntimeException e) {
      refused(visit, group, new Chosen(texts, filled), visit.fault(e));
    }
  }

  private void refused(Visit visit, DeskFilters group, Chosen chosen, Problem problem)
      throws IOException {
    SeveralPage page;
    try {
      page = list(visit, group, chosen, problem);
    } catch (RuntimeException e) {
      visit.unread(TITLE, group.several(group.kind(), group.provider()), problem, e);
      return;
    }
    visit.refused("desk/several", TITLE, problem, page);
  }

  private static DeskFilters group(Visit visit) {
    return new DeskFilters(
        DeskFilters.DOUBTS,
        field(visit, "owner"),
        field(visit, "kind"),
        field(visit, "provider"),
        "",
        "");
  }

  private static String field(Visit visit, String name) {
    String text = visit.form().text(name);
    return text == null ? "" : text;
  }

  private static List<AttemptId> ids(List<String> texts) {
    List<AttemptId> ids =
        texts.stream()
            .distinct()
            .map(
                text ->
                    AttemptId.parse(text)
                        .orElseThrow(
                            () -> Problem.field("/id", "This is not the id of an attempt.")))
            .toList();
    if (ids.isEmpty()) {
      throw Problem.field("/id", "Tick the attempts that are meant. Nothing was changed.");
    }
    if (ids.size() > SEVERAL_MAX) {
      throw Problem.field(
          "/id", "At most " + SEVERAL_MAX + " are decided at once. Nothing was changed.");
    }
    return ids;
  }

  private static Decision decision(Filled filled, String by) {
    if (OFFERS.stream().noneMatch(offer -> offer.value().equals(filled.choice()))) {
      throw Problem.field("/verdict", "Choose a verdict. Nothing was changed.");
    }
    filled.requiredReason();
    return filled.decision(by);
  }

  private static void requireOneGroup(List<DeskItem> items, DeskFilters group) {
    for (DeskItem item : items) {
      boolean same =
          item.attempt() != null
              && item.job().kind().equals(group.kind())
              && item.attempt().standing().provider().equals(group.provider());
      if (!same) {
        throw Problem.field(
            "/id",
            id(item)
                + " is of the kind "
                + item.job().kind()
                + ", or at another provider. Several attempts are decided at once only if they"
                + " share kind and provider. Nothing was changed.");
      }
    }
  }

  private static void confirm(
      Visit visit, DeskFilters group, Filled filled, List<AttemptId> ids, List<DeskItem> items)
      throws IOException {
    List<SeveralPage.Step> steps =
        items.stream()
            .map(
                item ->
                    new SeveralPage.Step(
                        item, choice(item, filled), !item.mark().equals(seen(visit, id(item)))))
            .toList();
    visit.page(
        "desk/severalconfirm",
        TITLE,
        new SeveralPage.Confirm(
            group.kind(),
            group.provider(),
            group.owner(),
            filled,
            name(filled),
            steps,
            ids.size() - items.size()));
  }

  /** As what the job of an attempt was shown where it was ticked, or confirmed. */
  private static Mark seen(Visit visit, AttemptId id) {
    return visit.form().markOf(SeveralPage.AS_OF + id);
  }

  private static @Nullable Choice choice(DeskItem item, Filled filled) {
    return item.choices().stream()
        .filter(choice -> Says.value(choice).equals(filled.choice()))
        .findFirst()
        .orElse(null);
  }

  private static String name(Filled filled) {
    return OFFERS.stream()
        .filter(offer -> offer.value().equals(filled.choice()))
        .findFirst()
        .map(SeveralPage.Offer::name)
        .orElseThrow();
  }

  private SeveralDone done(
      Visit visit,
      DeskFilters group,
      Filled filled,
      Decision decision,
      List<AttemptId> ids,
      List<DeskItem> items) {
    List<SeveralDone.Outcome> outcomes = new ArrayList<>();
    boolean goesOn = true;
    for (AttemptId id : ids) {
      if (!goesOn) {
        outcomes.add(SeveralDone.Outcome.notTried(id));
        continue;
      }
      try {
        requireForeseen(visit, filled, id, items);
        outcomes.add(resolved(visit, group, decision, id));
      } catch (ProblemException e) {
        outcomes.add(SeveralDone.Outcome.notDone(id, null, e.problem()));
      } catch (RuntimeException e) { // such as a database that is away: the others are not tried
        outcomes.add(SeveralDone.Outcome.notDone(id, null, visit.fault(e)));
        goesOn = false;
      }
    }
    return new SeveralDone(
        group.kind(),
        group.provider(),
        name(filled),
        outcomes,
        group.several(group.kind(), group.provider()));
  }

  /**
   * What is at work again, has changed since it was shown, or is of no such group is left alone.
   */
  private SeveralDone.Outcome resolved(
      Visit visit, DeskFilters group, Decision decision, AttemptId id) {
    Job seen = reader.jobOf(visit.reach(), id);
    JobId job = seen.id();
    try {
      var attempt = DeskReader.attempt(seen, id);
      DecideOne.requireNotAtWork(attempt);
      if (!seen.kind().equals(group.kind())
          || !attempt.standing().provider().equals(group.provider())) {
        throw Problem.field("/id", "It is of another kind, or at another provider.");
      }
      acts.asOf(seen(visit, id)).resolve(visit.who(), id, decision);
    } catch (ProblemException e) {
      return SeveralDone.Outcome.notDone(id, job, e.problem());
    }
    return SeveralDone.Outcome.done(id, job, after(visit, id));
  }

  /** What was done stays done where it cannot be read; null then. */
  private @Nullable Job after(Visit visit, AttemptId id) {
    try {
      return reader.jobOf(visit.reach(), id);
    } catch (RuntimeException e) {
      visit.fault(e); // into the log
      return null;
    }
  }

  /** As {@link DecideOne} demands it of one. */
  private static void requireForeseen(
      Visit visit, Filled filled, AttemptId id, List<DeskItem> items) {
    String shown = visit.form().exact(SeveralPage.FORESEEN + id);
    boolean otherwise =
        items.stream()
            .filter(item -> id(item).equals(id))
            .map(item -> choice(item, filled))
            .anyMatch(choice -> choice != null && !Says.foresees(choice).equals(shown));
    if (otherwise) {
      throw DecideOne.foreseenOtherwise();
    }
  }
}
