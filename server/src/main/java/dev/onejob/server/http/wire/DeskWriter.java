package dev.onejob.server.http.wire;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.Choice;
import dev.onejob.domain.DeskItem;
import org.jspecify.annotations.Nullable;

/** What waits for a person. */
public final class DeskWriter {
  private DeskWriter() {}

  /**
   * A page of a list.
   *
   * @param cursor of the next page; null at the end
   */
  public static byte[] writePage(DeskItem.Page page, @Nullable String cursor) {
    return JsonOut.object(
        out -> {
          out.list("items", page.items(), DeskWriter::item);
          out.text("next_cursor", cursor);
        });
  }

  private static void item(JsonOut out, DeskItem item) {
    out.text("because", item.because().word());
    out.time("since", item.since());
    out.number("age_seconds", item.age().toSeconds());
    out.text("effect", item.effect().word());
    out.member("job", item.job(), JobWriter::summary);
    out.member("attempt", item.attempt(), AttemptWriter::members);
    out.list("choices", item.choices(), (inner, choice) -> choice(inner, item, choice));
  }

  private static void choice(JsonOut out, DeskItem item, Choice choice) {
    out.text("act", choice.act().word());
    out.text("then", choice.then() == null ? null : choice.then().word());
    out.text("provider", choice.provider());
    out.text("method", "POST");
    out.text("url", url(item, choice));
    out.text(
        "attempt_becomes", choice.attemptState() == null ? null : choice.attemptState().word());
    out.text("job_becomes", choice.job().state().word());
    out.text(
        "waiting_for", choice.job().waitingFor() == null ? null : choice.job().waitingFor().word());
  }

  private static String url(DeskItem item, Choice choice) {
    String job = "/v1/jobs/" + item.job().id();
    return switch (choice.act()) {
      case NOT_DONE, DONE, STILL_RUNNING, ABANDON -> resolution(item.attempt());
      case ACKNOWLEDGE -> job + "/acknowledgement";
      case START_ATTEMPT -> job + "/attempts";
      case CANCEL -> job + "/cancel";
    };
  }

  private static String resolution(@Nullable Attempt attempt) {
    if (attempt == null) {
      throw new IllegalStateException("a verdict about no attempt");
    }
    return "/v1/attempts/" + attempt.standing().id() + "/resolution";
  }
}
