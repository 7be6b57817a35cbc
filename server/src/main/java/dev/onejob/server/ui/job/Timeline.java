package dev.onejob.server.ui.job;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.Job;
import dev.onejob.domain.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a job: places from left to right between its admission and its last moment, or
 * now. Pure.
 *
 * @param lanes one for each attempt, by number
 * @param slot when the result claimed the slot; null: it has not
 * @param repeats when the key was repeated, as far as it was kept
 * @param moments everything that happened, in order, in words
 */
public record Timeline(
    Instant begin,
    Instant end,
    List<Lane> lanes,
    @Nullable Mark slot,
    List<Mark> repeats,
    List<Mark> ofJob,
    List<Moment> moments) {
  /** Parts of the whole width, in hundredths. */
  private static final double WHOLE = 100;

  /** The narrowest part of a bar that can still be seen. */
  private static final double NARROWEST = 0.4;

  /** Copies the lists. */
  public Timeline {
    lanes = List.copyOf(lanes);
    repeats = List.copyOf(repeats);
    ofJob = List.copyOf(ofJob);
    moments = List.copyOf(moments);
  }

  /**
   * One attempt.
   *
   * @param id of the attempt
   * @param marks probes, callbacks, late answers and decisions
   * @param end its last part ends here
   */
  public record Lane(
      String id,
      int number,
      String provider,
      String state,
      List<Bar> bars,
      List<Mark> marks,
      double end) {
    /** Copies the lists. */
    public Lane {
      bars = List.copyOf(bars);
      marks = List.copyOf(marks);
    }
  }

  /**
   * A part of an attempt's life.
   *
   * @param phase {@code starting}, {@code running} or {@code unknown}
   * @param from in hundredths of the whole width
   * @param width in hundredths of the whole width
   */
  public record Bar(String phase, double from, double width, String says) {}

  /**
   * A moment in the picture.
   *
   * @param sort what it looks like: {@code slot}, {@code repeat}, {@code probe}, {@code callback},
   *     {@code report}, {@code decision} or {@code cancel}
   * @param at in hundredths of the whole width
   */
  public record Mark(String sort, double at, String says) {}

  /** What happened when; the same as in the picture, for reading. */
  public record Moment(Instant at, String says) {}

  /** Whether the picture has a bar of this phase, or a mark of this sort beside the slot's. */
  public boolean has(String what) {
    return Stream.concat(
            lanes.stream().flatMap(lane -> lane.bars().stream()).map(Bar::phase),
            Stream.concat(lanes.stream().flatMap(lane -> lane.marks().stream()), ofJob.stream())
                .map(Mark::sort))
        .anyMatch(what::equals);
  }

  /**
   * Draws a job.
   *
   * @param repeatedAt when repeats of its key were written down
   * @param now the right edge, unless the job and all its attempts are over
   */
  public static Timeline of(Job job, List<Instant> repeatedAt, Instant now) {
    return new Drawing(job, repeatedAt, now).draw();
  }

  /** The places of one picture. */
  private record Drawing(Job job, List<Instant> repeatedAt, Instant begin, Instant end) {
    Drawing(Job job, List<Instant> repeatedAt, Instant now) {
      this(job, repeatedAt, job.createdAt(), lastMoment(job, now));
    }

    /** Repeats may come for ever: they do not make the picture longer. */
    private static Instant lastMoment(Job job, Instant now) {
      boolean over = job.standing().state().terminal() && job.standing().live() == 0;
      Stream<Instant> known =
          Stream.concat(
              moments(job, List.of()).map(Moment::at),
              over ? Stream.empty() : Stream.of(now, job.createdAt().plusSeconds(1)));
      Instant last = known.max(Comparator.naturalOrder()).orElse(job.createdAt());
      return last.isAfter(job.createdAt()) ? last : job.createdAt().plusMillis(1);
    }

    Timeline draw() {
      return new Timeline(
          begin,
          end,
          job.attempts().stream().map(this::lane).toList(),
          slot(),
          repeatedAt.stream().map(at -> mark("repeat", at, "the key was repeated")).toList(),
          ofJob(),
          moments(job, repeatedAt).sorted(Comparator.comparing(Moment::at)).toList());
    }

    private @Nullable Mark slot() {
      Instant at = claimedAt(job);
      return at == null ? null : mark("slot", at, "the slot was claimed");
    }

    private List<Mark> ofJob() {
      List<Mark> marks = new ArrayList<>();
      Instant cancel = job.standing().cancelRequestedAt();
      if (cancel != null) {
        marks.add(mark("cancel", cancel, "a cancel was asked for"));
      }
      for (Resolution each : job.resolutions()) {
        marks.add(mark("decision", each.decidedAt(), words(each)));
      }
      return marks;
    }

    private Lane lane(Attempt attempt) {
      Instant last = attempt.endedAt() == null ? end : attempt.endedAt();
      Instant began = attempt.standing().startedAt();
      List<Bar> bars = new ArrayList<>();
      Instant accepted = attempt.acceptedAt();
      Instant doubted = attempt.unknownAt();
      Instant firstEnd = earliest(accepted, doubted, last);
      bars.add(bar("starting", began, firstEnd));
      if (accepted != null) {
        bars.add(
            bar(
                "running",
                accepted,
                doubted != null && doubted.isAfter(accepted) ? doubted : last));
      }
      if (doubted != null) {
        bars.add(bar("unknown", doubted, endOfDoubt(accepted, doubted, last)));
      }
      return new Lane(
          attempt.standing().id().toString(),
          attempt.standing().number(),
          attempt.standing().provider(),
          attempt.standing().state().word(),
          bars,
          marks(attempt),
          place(last));
    }

    /** An attempt may be accepted late: then it is no longer in doubt. */
    private static Instant endOfDoubt(@Nullable Instant accepted, Instant doubted, Instant last) {
      return accepted != null && accepted.isAfter(doubted) ? accepted : last;
    }

    private static Instant earliest(@Nullable Instant one, @Nullable Instant two, Instant last) {
      return Stream.of(one, two, last)
          .flatMap(Stream::ofNullable)
          .min(Comparator.naturalOrder())
          .orElse(last);
    }

    private List<Mark> marks(Attempt attempt) {
      List<Mark> marks = new ArrayList<>();
      for (Evidence each : attempt.evidence()) {
        marks.add(mark(sort(each), each.learnedAt(), words(each)));
        if (each.lastAt().isAfter(each.learnedAt())) {
          marks.add(mark(sort(each), each.lastAt(), words(each) + ", the last of " + each.times()));
        }
      }
      for (Resolution each : attempt.resolutions()) {
        marks.add(mark("decision", each.decidedAt(), words(each)));
      }
      return marks;
    }

    private Bar bar(String phase, Instant from, Instant to) {
      double left = place(from);
      double width = Math.max(NARROWEST, place(to) - left);
      return new Bar(phase, Math.min(left, WHOLE - NARROWEST), width, phase + " from " + from);
    }

    private Mark mark(String sort, Instant at, String says) {
      return new Mark(sort, place(at), says);
    }

    private double place(Instant at) {
      double whole = Duration.between(begin, end).toNanos();
      double part = Duration.between(begin, at).toNanos();
      return Math.clamp(Math.round(part / whole * WHOLE * 100) / 100.0, 0, WHOLE);
    }
  }

  private static @Nullable Instant claimedAt(Job job) {
    return job.attempts().stream()
        .filter(attempt -> attempt.standing().id().equals(job.standing().completedBy()))
        .map(Attempt::endedAt)
        .flatMap(Stream::ofNullable)
        .findFirst()
        .orElse(null);
  }

  private static Stream<Moment> moments(Job job, List<Instant> repeatedAt) {
    List<Moment> all = new ArrayList<>();
    all.add(new Moment(job.createdAt(), "admitted"));
    add(all, job.standing().cancelRequestedAt(), "a cancel was asked for");
    job.resolutions().forEach(each -> add(all, each.decidedAt(), words(each)));
    repeatedAt.forEach(each -> add(all, each, "the key was repeated, at most two seconds before"));
    job.attempts().forEach(each -> add(all, each, job));
    add(all, job.endedAt(), "the job " + ended(job.standing().state().word()));
    return all.stream();
  }

  private static void add(List<Moment> all, Attempt attempt, Job job) {
    String name = "attempt " + attempt.standing().number();
    String at = name + " at " + attempt.standing().provider();
    add(all, attempt.standing().startedAt(), at + " was started, by " + attempt.cause().word());
    add(all, attempt.acceptedAt(), name + " was accepted");
    add(all, attempt.unknownAt(), name + " came to be in doubt");
    attempt.evidence().forEach(each -> add(all, each.learnedAt(), name + ": " + words(each)));
    attempt.resolutions().forEach(each -> add(all, each.decidedAt(), name + ": " + words(each)));
    boolean won = attempt.standing().id().equals(job.standing().completedBy());
    String end =
        attempt.standing().state() == AttemptState.LOST
            ? name + " ended too late: another had claimed the slot"
            : name + " " + ended(attempt.standing().state().word());
    add(all, attempt.endedAt(), won ? end + " and claimed the slot" : end);
  }

  private static void add(List<Moment> all, @Nullable Instant at, String says) {
    if (at != null) {
      all.add(new Moment(at, says));
    }
  }

  private static String ended(String state) {
    return state.equals("cancelled") ? "was cancelled" : state;
  }

  private static String sort(Evidence evidence) {
    return switch (evidence.source()) {
      case "lookup", "replay" -> "probe";
      case "callback" -> "callback";
      default -> "report";
    };
  }

  private static String words(Evidence each) {
    return each.source() + " (" + each.strength() + "): " + each.says();
  }

  private static String words(Resolution each) {
    String then = each.then() == null ? "" : ", then " + each.then().word();
    return each.decidedBy() + " decided " + each.verdict() + then + ": " + each.reason();
  }
}
