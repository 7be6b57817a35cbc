package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.ui.page.Visit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person looks for among the jobs. A null member does not filter.
 *
 * @param provider one that has an attempt of the job
 * @param from jobs that were admitted then or later, to the millisecond
 * @param to jobs that were admitted before
 * @param before only jobs older than this one: where the page before has ended
 */
public record JobFilters(
    @Nullable JobState state,
    @Nullable String kind,
    @Nullable String owner,
    @Nullable String provider,
    @Nullable String tag,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable JobId before) {

  /**
   * Reads the query of a page.
   *
   * @throws ProblemException if a filter cannot be used
   */
  public static JobFilters of(Visit visit) {
    return new JobFilters(
        state(visit.query("state")),
        name("kind", visit.query("kind"), Limits.NAME_CHARS_MAX),
        name("owner", visit.query("owner"), Limits.OWNER_CHARS_MAX),
        name("provider", visit.query("provider"), Limits.NAME_CHARS_MAX),
        name("tag", visit.query("tag"), Limits.TAG_CHARS_MAX),
        time("from", visit.query("from")),
        time("to", visit.query("to")),
        before(visit.query("before")));
  }

  private static @Nullable JobState state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    for (JobState each : JobState.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw Problem.parameter("state", "No job has the state that is asked for.");
  }

  private static @Nullable String name(String what, @Nullable String text, int most) {
    if (text != null && (text.length() > most || text.indexOf('\0') >= 0)) {
      throw Problem.parameter(what, "This is the name of no " + what + ".");
    }
    return text;
  }

  /** As the field of a browser gives it, which knows no zone, or as the API writes times. */
  private static @Nullable Instant time(String what, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      Instant time =
          text.endsWith("Z")
              ? Instant.parse(text)
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(TIME_END)) {
        return time;
      }
    } catch (DateTimeException e) {
      throw noTime(what);
    }
    throw noTime(what);
  }

  /** Ids carry 48 bits of milliseconds; a year of five digits is a slip of the hand anyway. */
  private static final Instant TIME_END = Instant.parse("9999-12-31T00:00:00Z");

  private static ProblemException noTime(String what) {
    return Problem.parameter(
        what, "Expected a time in UTC from 1970 to 9999 such as 2026-11-30T14:05.");
  }

  private static @Nullable JobId before(@Nullable String text) {
    return text == null
        ? null
        : JobId.parse(text)
            .orElseThrow(() -> Problem.parameter("before", "Expected the id of a job."));
  }

  /** The same from another job on. */
  public JobFilters before(JobId other) {
    return new JobFilters(state, kind, owner, provider, tag, from, to, other);
  }

  /** Whether anything is filtered. */
  public boolean any() {
    return Stream.of(state, kind, owner, provider, tag, from, to).anyMatch(Objects::nonNull);
  }

  /** Whether jobs between its first and its last are left out: by more than an owner and a time. */
  boolean leavesOut() {
    return Stream.of(state, kind, provider, tag).anyMatch(Objects::nonNull);
  }

  /** Whether this is the page that new jobs come to. */
  public boolean newest() {
    return before == null && to == null;
  }

  /** As the query of a page. */
  public String query() {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "state", state == null ? null : state.word());
    put(fields, "kind", kind);
    put(fields, "owner", owner);
    put(fields, "provider", provider);
    put(fields, "tag", tag);
    put(fields, "from", from);
    put(fields, "to", to);
    put(fields, "before", before);
    return fields.entrySet().stream()
        .map(
            each ->
                each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static void put(Map<String, String> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value.toString());
    }
  }

  /** A time as the field of a browser takes it; empty if there is none. */
  public static String field(@Nullable Instant time) {
    return time == null ? "" : LocalDateTime.ofInstant(time, ZoneOffset.UTC).toString();
  }
}
