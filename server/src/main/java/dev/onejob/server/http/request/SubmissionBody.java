package dev.onejob.server.http.request;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Names;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Submission;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of a submission. */
public final class SubmissionBody {
  private static final Set<String> MEMBERS =
      Set.of("kind", "input", "route", "deadline", "priority", "tags", "webhook");

  /** Longest deadline that is a number of seconds: ten years, beyond which it is a mistake. */
  private static final BigDecimal DEADLINE_SECONDS_MAX =
      BigDecimal.valueOf(Duration.ofDays(3_653).toSeconds());

  private static final Instant FIRST_DEADLINE = Instant.EPOCH;
  private static final Instant LAST_DEADLINE = Instant.parse("9999-12-31T23:59:59Z");
  private static final int NANO_DIGITS = 9;

  private SubmissionBody() {}

  /**
   * Reads it.
   *
   * @param clock from which a deadline in seconds counts
   */
  public static Submission read(byte[] body, Owner owner, IntentKey key, InstantSource clock) {
    Members members = Members.read(body, MEMBERS);
    List<String> tags = members.texts("tags");
    return new Submission(
        owner,
        key,
        kind(members),
        Members.required("input", members.bytes("input")),
        members.texts("route"),
        deadline(members, clock),
        priority(members),
        tags == null ? List.of() : tags,
        members.text("webhook"));
  }

  private static String kind(Members members) {
    String kind = Members.required("kind", members.text("kind"));
    if (kind.isEmpty() || kind.length() > Limits.NAME_CHARS_MAX) {
      throw Problem.field(
          "/kind", "The name of a kind has 1 to " + Limits.NAME_CHARS_MAX + " characters.");
    }
    if (Names.isReserved(kind)) {
      throw Problem.of(
              ProblemType.KIND_UNKNOWN,
              "Kinds that begin with " + Names.RESERVED + " are for the service itself.")
          .with("pointer", "/kind")
          .asException();
    }
    return kind;
  }

  private static int priority(Members members) {
    BigDecimal number = members.number("priority");
    if (number == null) {
      return 0;
    }
    BigDecimal most = BigDecimal.valueOf(Limits.PRIORITY_MAX);
    boolean whole = number.abs().compareTo(most) <= 0 && number.stripTrailingZeros().scale() <= 0;
    if (!whole) {
      throw Problem.field(
          "/priority", "A priority is a whole number from -" + most + " to " + most + ".");
    }
    return number.intValue();
  }

  /** A time that has passed is taken: a repeat of a key must find its job at any time. */
  static @Nullable Instant deadline(Members members, InstantSource clock) {
    Members.Scalar deadline = members.textOrNumber("deadline");
    if (deadline == null) {
      return null;
    }
    return switch (deadline) {
      case Members.Text text -> time(text.value());
      case Members.Decimal seconds -> after(seconds.value(), clock);
    };
  }

  private static Instant time(String text) {
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      if (time.isBefore(FIRST_DEADLINE) || time.isAfter(LAST_DEADLINE)) {
        throw badDeadline();
      }
      return time;
    } catch (DateTimeException e) {
      throw badDeadline();
    }
  }

  private static Instant after(BigDecimal seconds, InstantSource clock) {
    if (seconds.signum() <= 0 || seconds.compareTo(DEADLINE_SECONDS_MAX) > 0) {
      throw badDeadline();
    }
    long nanos = seconds.movePointRight(NANO_DIGITS).longValue();
    return clock.instant().plusNanos(nanos);
  }

  private static ProblemException badDeadline() {
    return Problem.field(
        "/deadline",
        "A deadline is a time like 2030-01-31T12:00:00Z up to the year 9999, or a number of"
            + " seconds from now, more than 0 and at most "
            + DEADLINE_SECONDS_MAX
            + ".");
  }
}
