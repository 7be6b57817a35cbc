package dev.onejob.server.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static List<Integer> told(Pace pace, int looks, List<Integer> news) {
    List<Integer> told = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      if (pace.tellsAfter(news.contains(look))) {
        told.add(look);
      }
    }
    return told;
  }

  private static List<Integer> always(int looks) {
    List<Integer> all = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      all.add(look);
    }
    return all;
  }

  @Test
  void news_after_a_calm_are_told_at_once() {
    assertThat(told(new Pace(0), 60, List.of(0, 20, 40))).containsExactly(0, 20, 40);
  }

  @Test
  void where_everything_changes_all_the_time_a_page_is_told_now_and_then() {
    assertThat(told(new Pace(1), 30, always(30))).containsExactly(0, 1, 9, 18, 27);
  }

  @Test
  void what_was_not_told_at_once_is_told_later_without_other_news() {
    assertThat(told(new Pace(1), 30, List.of(0, 1, 2))).containsExactly(0, 1, 9);
  }

  @Test
  void pages_that_were_opened_together_do_not_stay_together() {
    List<Integer> one = told(new Pace(0), 600, always(600));
    List<Integer> two = told(new Pace(1), 600, always(600));
    List<Integer> three = told(new Pace(2), 600, always(600));

    assertThat(one.size()).isGreaterThan(two.size());
    assertThat(two.size()).isGreaterThan(three.size());
  }
}
