package dev.onejob.server.http.operation;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.JobFilter;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.Cursor;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code GET /v1/jobs}: lists, newest first. */
final class ListJobs implements Operation {
  private static final int LIMIT_DEFAULT = 50;
  private static final Set<String> PARAMETERS = Set.of("state", "kind", "tag", "cursor", "limit");
  private static final String STATES =
      Arrays.stream(JobState.values()).map(JobState::word).collect(Collectors.joining(", "));

  private final JobEngine engine;

  ListJobs(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Job.Page page = engine.list(Guard.reach(caller), filter(Parameters.of(ctx, PARAMETERS)));
    Answers.ok(ctx, JobWriter.writePage(page, Cursor.write(page.next())));
  }

  private static JobFilter filter(Parameters parameters) {
    JobState state = parameters.read("state", "one of " + STATES, ListJobs::state);
    JobId before = parameters.read("cursor", "the next_cursor of an earlier page", Cursor::read);
    Integer limit =
        parameters.read("limit", "a whole number from 1 to " + Limits.PAGE_MAX, ListJobs::limit);
    return new JobFilter(
        state,
        parameters.read("kind", name("kind"), text -> name(text, Limits.NAME_CHARS_MAX)),
        parameters.read("tag", name("tag"), text -> name(text, Limits.TAG_CHARS_MAX)),
        before,
        limit == null ? LIMIT_DEFAULT : limit);
  }

  private static String name(String what) {
    return "the name of a " + what;
  }

  static String name(String text, int charsMax) {
    if (text.isEmpty() || text.length() > charsMax || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  private static JobState state(String word) {
    JobState state = JobState.of(word);
    if (!state.word().equals(word)) {
      throw new IllegalArgumentException(word);
    }
    return state;
  }

  static Integer limit(String text) {
    int limit = Integer.parseInt(text);
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new IllegalArgumentException(text);
    }
    return limit;
  }
}
