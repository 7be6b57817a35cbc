package dev.onejob.server.ui.desk;

import dev.onejob.domain.DeskItem;
import dev.onejob.server.http.problem.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the desk.
 *
 * @param here the address of this page itself
 * @param next the address of the next page; null at the end
 * @param problem what of the filters cannot be used; null: nothing, and the list is what they say
 */
public record DeskPage(
    DeskFilters filters,
    Powers powers,
    List<DeskGroup> groups,
    List<Item> items,
    String here,
    @Nullable String next,
    @Nullable Problem problem) {
  /** Copies the lists. */
  public DeskPage {
    groups = List.copyOf(groups);
    items = List.copyOf(items);
  }

  /**
   * One thing that waits.
   *
   * @param rule what its kind does about the doubt by itself, in words; null: nothing
   */
  public record Item(DeskItem waits, @Nullable String rule) {}

  /** What the person who looks can do here. */
  public enum Powers {
    /** An operator decides, and sees every owner. */
    DECIDES,
    /** An owner sees its own. */
    LOOKS
  }
}
