package dev.onejob.server.ui.live;

/**
 * How often one page about everything is told of news: soon after a calm, and more seldom where
 * everything changes all the time. What is news meanwhile is told the next time. Of one thread.
 */
final class Pace {
  /** So many times in a row as soon as there is news. */
  private static final int AT_ONCE = 2;

  /** Afterwards once in so many looks, on the average of all pages. */
  private static final int LOOKS = 9;

  /** Pages that were opened together do not stay together: each would wait for all others. */
  private static final int SPREAD = 3;

  private final int looksForOne;
  private int left = AT_ONCE;
  private int looksSince;
  private boolean untold;

  /**
   * Of a page.
   *
   * @param number in the order in which they were opened
   */
  Pace(int number) {
    this.looksForOne = LOOKS - 1 + Math.floorMod(number, SPREAD);
  }

  /**
   * One look.
   *
   * @param news whether it has found anything
   * @return whether the page is told
   */
  boolean tellsAfter(boolean news) {
    untold |= news;
    looksSince = left == AT_ONCE ? 0 : looksSince + 1;
    if (looksSince >= looksForOne) {
      looksSince = 0;
      left++;
    }
    if (!untold || left == 0) {
      return false;
    }
    left--;
    untold = false;
    return true;
  }
}
