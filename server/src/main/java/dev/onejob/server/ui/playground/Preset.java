package dev.onejob.server.ui.playground;

import dev.onejob.server.config.PlaygroundKinds;
import dev.onejob.server.ui.playground.Play.Outcome;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be tried, with how the providers behave unless somebody says otherwise. */
public enum Preset {
  CLICK_TWICE(
      "Click twice",
      "The answer takes a while, so the button is pressed again. Both clicks carry the same key:"
          + " one intent, one job.",
      PlaygroundKinds.PLAIN,
      1_000,
      500),
  OTHER_INPUT(
      "Same key, other input",
      "A program sends something else under a key that is taken. A key binds to one exact intent,"
          + " so this is a conflict, never a guess.",
      PlaygroundKinds.PLAIN,
      1_000,
      500),
  STALL(
      "Stall, then press fallback",
      "The first provider falls silent and the fallback button is pressed. Silence is not failure:"
          + " the attempt is unknown, and while it is, nothing new starts.",
      PlaygroundKinds.PLAIN,
      6_000,
      500),
  REVERSED_FINISH(
      "Reversed finish",
      "A duplicate of this kind is harmless, so a second attempt may race the first, and"
          + " finishes first. There is one result: the later one is lost and thrown away.",
      PlaygroundKinds.RACE,
      4_000,
      500),
  ABANDON(
      "Abandon, then the late answer",
      "A person decides that the silent attempt is abandoned and presses fallback. When the"
          + " abandoned attempt answers after all, it is fenced: its result changes nothing.",
      PlaygroundKinds.PLAIN,
      7_000,
      500),
  NODE_DIES(
      "Node dies",
      "The node that works on the job is killed in the middle of the call. Its lease lapses, the"
          + " attempt is unknown, and the provider is asked what became of it.",
      PlaygroundKinds.ASKED,
      1_500,
      500);

  private static final long MIDDLE_MILLIS = 1_000;

  private final String title;
  private final String idea;
  private final String kind;
  private final Play first;
  private final Play second;

  Preset(String title, String idea, String kind, long firstMillis, long secondMillis) {
    this.title = title;
    this.idea = idea;
    this.kind = kind;
    this.first = new Play(firstMillis, Outcome.SUCCEED);
    this.second = new Play(secondMillis, Outcome.SUCCEED);
  }

  /** For people. */
  public String title() {
    return title;
  }

  /** What happens and why, in two sentences. */
  public String idea() {
    return idea;
  }

  /** The kind of its jobs. */
  public String kind() {
    return kind;
  }

  /** How the first provider behaves unless somebody says otherwise. */
  public Play first() {
    return first;
  }

  /** How the second does. */
  public Play second() {
    return second;
  }

  /**
   * Shortest delay of the first provider, in milliseconds. A node that is to be killed in the
   * middle of a call needs a call with a middle.
   */
  public long firstDelayMillisMin() {
    return this == NODE_DIES ? MIDDLE_MILLIS : 0;
  }

  /** As forms and addresses have it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Preset> of(String word) {
    return Stream.of(values()).filter(each -> each.word().equals(word)).findFirst();
  }
}
