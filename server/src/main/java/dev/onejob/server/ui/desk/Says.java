package dev.onejob.server.ui.desk;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Effect;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Probing;
import dev.onejob.domain.Then;
import dev.onejob.domain.WaitingFor;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Shown;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the desk says, in words. What a choice does is the engine's own answer. */
public final class Says {
  private static final int BRIEF_CHARS = 300;

  private Says() {}

  /** Why something is at the desk. */
  public static String because(DeskItem.Because because) {
    return switch (because) {
      case IN_DOUBT -> "in doubt";
      case CONTESTED -> "contested";
      case DECISION -> "waits for a decision";
    };
  }

  /** What a duplicate of the job would mean. */
  public static String effect(Effect effect) {
    return switch (effect) {
      case EXCLUSIVE -> "exclusive: it must not happen twice";
      case KEYED -> "keyed: the provider acts once for a key";
      case HARMLESS -> "harmless: a duplicate costs money, nothing else";
    };
  }

  /** How the values of choices begin that start an attempt; the provider follows. */
  static final String START_AT = Choice.Act.START_ATTEMPT.word() + "-at-";

  /** The value of a choice in a form. */
  public static String value(Choice choice) {
    return choice.provider() == null
        ? value(choice.act().word(), choice.then())
        : START_AT + choice.provider();
  }

  /** The values of choices, in one text: whether they are the same as others. */
  public static String values(List<Choice> choices) {
    return choices.stream().map(Says::value).collect(Collectors.joining(" "));
  }

  static String value(String act, @Nullable Then then) {
    return then == null ? act : act + "-" + then.word();
  }

  /** The name of a choice. */
  public static String name(Choice choice) {
    String name = name(choice.act(), choice.then());
    return choice.provider() == null ? name : name + " at " + choice.provider();
  }

  static String name(Choice.Act act, @Nullable Then then) {
    String name =
        switch (act) {
          case NOT_DONE -> "Not done";
          case DONE -> "Done";
          case STILL_RUNNING -> "Still running";
          case ABANDON -> "Abandon";
          case ACKNOWLEDGE -> "Acknowledge";
          case START_ATTEMPT -> "Start an attempt";
          case CANCEL -> "Cancel";
        };
    return then == null ? name : name + ", then " + then.word();
  }

  /** What somebody who chooses it says. */
  public static String means(Choice.Act act) {
    return switch (act) {
      case NOT_DONE -> "It did not act, and will not.";
      case DONE -> "It acted, and this is its result.";
      case STILL_RUNNING -> "It is at work.";
      case ABANDON ->
          "Whatever it did or does, its result is not wanted any more. It may have acted all the"
              + " same.";
      case ACKNOWLEDGE -> "The report that an ended attempt acted has been looked at.";
      case START_ATTEMPT -> "Somebody wants another attempt now: the fallback button.";
      case CANCEL -> "The job is not wanted any more.";
    };
  }

  /** What a wrong choice would do; null: nothing that cannot be mended. */
  public static @Nullable String risk(Choice choice, Effect effect) {
    boolean again = choice.then() == Then.RETRY || choice.act() == Choice.Act.START_ATTEMPT;
    return switch (effect) {
      case EXCLUSIVE -> again ? "If an earlier attempt acted after all, this acts twice." : null;
      case KEYED -> again ? "A fresh attempt has a key of its own; it may act once more." : null;
      case HARMLESS -> null;
    };
  }

  /**
   * What it would do if it were decided now.
   *
   * @param now for the time until the job goes on
   */
  public static String does(Choice choice, Instant now) {
    return attempt(choice.attemptState()) + job(choice.job(), now) + condition(choice.act());
  }

  /** How the fields of a form begin that say what its choices were shown to do. */
  public static final String FORESEEN = Form.AS_OF_FIELD + "-";

  /** What it would do, whenever: another answer is another thing to decide about. */
  public static String foresees(Choice choice) {
    return does(choice, Instant.MAX);
  }

  private static String attempt(@Nullable AttemptState state) {
    return switch (state) {
      case null -> "";
      case UNKNOWN -> "The attempt stays in doubt. ";
      case LOST -> "The attempt is lost: another one has the result already. ";
      case STARTING, RUNNING, SUCCEEDED, FAILED, CANCELLED ->
          "The attempt becomes " + state.word() + ". ";
    };
  }

  private static String job(JobStanding job, Instant now) {
    String word = job.state().word();
    return switch (job.state()) {
      case QUEUED -> "The job becomes queued" + waits(job, now);
      case RUNNING -> "The job is running: an attempt is at work.";
      case UNKNOWN ->
          "The job stays unknown: " + Shown.count(job.inDoubt()) + " of its attempts in doubt.";
      case SUCCEEDED -> "The job is succeeded.";
      case CANCELLED -> "The job becomes cancelled.";
      case FAILED ->
          "The job becomes "
              + word
              + (job.failure() == null
                  ? "."
                  : ": " + job.failure().code() + ", " + job.failure().message() + ".");
    };
  }

  private static String waits(JobStanding job, Instant now) {
    WaitingFor waitingFor = job.waitingFor();
    return switch (waitingFor) {
      case null -> " and goes on by itself at " + job.goesOnAt() + when(job.runAt(), now) + ".";
      case QUALIFICATION ->
          " and waits for a qualification: no provider that it could go on at has proved itself.";
      case DECISION -> " and waits for a decision: another attempt by the button, or a cancel.";
    };
  }

  private static String when(@Nullable Instant runAt, Instant now) {
    return runAt == null || !runAt.isAfter(now) ? "" : ", in " + Shown.age(now, runAt);
  }

  private static String condition(Choice.Act act) {
    return act == Choice.Act.DONE
        ? " A result that breaks the contract of the kind changes nothing."
        : "";
  }

  /**
   * How the provider is asked about the attempt, in a sentence.
   *
   * @param probing null: it never was to be asked
   */
  public static String probing(@Nullable Probing probing, Instant now) {
    if (probing == null) {
      return "The provider cannot be asked about it.";
    }
    String asked =
        probing.asked() == 0 ? "Not asked yet" : "Asked " + times(probing.asked()) + " so far";
    if (probing.nextAt() == null) {
      return asked + "; no more: " + ended(probing.ended()) + ".";
    }
    String next = probing.nextAt().isAfter(now) ? "in " + Shown.age(now, probing.nextAt()) : "now";
    return asked + "; next " + next + ", and until " + Shown.time(probing.before()) + ".";
  }

  /** The beginning of a text in a list; the page of the item has it whole. */
  public static String brief(String text) {
    if (text.length() <= BRIEF_CHARS) {
      return text;
    }
    int end =
        Character.isHighSurrogate(text.charAt(BRIEF_CHARS - 1)) ? BRIEF_CHARS - 1 : BRIEF_CHARS;
    return text.substring(0, end) + "…";
  }

  private static String times(int times) {
    return times == 1 ? "once" : Shown.count(times) + " times";
  }

  private static String ended(@Nullable String word) {
    return switch (word) {
      case null -> "the asking is over";
      case "attempt_ended" -> "the attempt has ended";
      case "evidence_expires" -> "the provider's evidence expires";
      case "asked_long_enough" -> "it was asked long enough";
      default -> word.replace('_', ' ');
    };
  }
}
