package dev.onejob.server.ui.desk;

import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.server.http.problem.Problem;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of one kind at one provider that are decided together.
 *
 * @param chosen the ids of those that are ticked
 * @param more whether there are more in doubt than are listed
 * @param problem why it cannot go on; null: it can
 */
public record SeveralPage(
    String kind,
    String provider,
    String owner,
    List<DeskItem> items,
    List<Offer> offers,
    Set<String> chosen,
    More more,
    Filled filled,
    @Nullable Problem problem) {
  /** How the fields begin that say as what the job of an attempt was shown; its id follows. */
  public static final String AS_OF = "as_of-";

  /** How the fields begin that say what the verdict was shown to do to an attempt. */
  public static final String FORESEEN = Says.FORESEEN + "does-";

  /** Copies the lists. */
  public SeveralPage {
    items = List.copyOf(items);
    offers = List.copyOf(offers);
    chosen = Set.copyOf(chosen);
  }

  /** Where they are listed. */
  public String here() {
    return new DeskFilters(DeskFilters.DOUBTS, owner, kind, provider, "", "")
        .several(kind, provider);
  }

  /** A verdict that can be given about several at once; {@code done} has a result of its own. */
  public record Offer(String value, String name, String means) {}

  /** Whether the list is whole. */
  public enum More {
    NONE,
    OLDEST_ONLY
  }

  /**
   * The list again, with what the verdict does to each, to be confirmed.
   *
   * @param name of the verdict
   * @param gone how many of those that were chosen are not in doubt any more
   */
  public record Confirm(
      String kind,
      String provider,
      String owner,
      Filled filled,
      String name,
      List<Step> steps,
      int gone) {
    /** Copies the list. */
    public Confirm {
      steps = List.copyOf(steps);
    }

    /** Of how many it is to be confirmed. */
    public long open() {
      return steps.stream().filter(step -> !step.changed()).count();
    }

    /** Where they are listed anew. */
    public String again() {
      return new DeskFilters(DeskFilters.DOUBTS, owner, kind, provider, "", "")
          .several(kind, provider);
    }
  }

  /**
   * What is going to be done to one attempt.
   *
   * @param choice what it would do now; null: it would be refused
   * @param changed whether its job has changed since it was ticked: then it is left alone
   */
  public record Step(DeskItem item, @Nullable Choice choice, boolean changed) {}
}
