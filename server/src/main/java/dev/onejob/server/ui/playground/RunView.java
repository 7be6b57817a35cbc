package dev.onejob.server.ui.playground;

/**
 * A run, as it is shown.
 *
 * @param seconds how long it has lasted
 * @param over whether nothing of it will change any more
 * @param verdict what can be seen from it, in a sentence; empty while it is not over
 */
public record RunView(
    String id,
    Choice choice,
    String seconds,
    Over over,
    String verdict,
    SideView onejob,
    SideView usual) {
  /** Whether a run goes on. */
  public enum Over {
    NO,
    YES
  }

  /** Whether nothing of it will change any more. */
  public boolean isOver() {
    return over == Over.YES;
  }
}
