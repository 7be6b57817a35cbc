package dev.onejob.server.ui.desk;

import dev.onejob.domain.Choice;
import dev.onejob.domain.Job;
import dev.onejob.domain.Mark;
import dev.onejob.server.http.problem.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that is contested or waits for a decision, at the desk.
 *
 * @param item null: it does neither
 * @param earlier {@link #shown} of the page that is renewed; null: it lists no choices
 * @param problem why nothing was done; null: nothing was refused
 */
public record JobPage(
    Job job,
    DeskPage.@Nullable Item item,
    DeskPage.Powers powers,
    Filled filled,
    @Nullable String earlier,
    @Nullable Problem problem) {
  /** As what the job is shown; it was read first, so that nothing here is older than the mark. */
  public String mark() {
    return Mark.of(job).text();
  }

  /** The choices that the page lists, as a text in an address. */
  public String shown() {
    return URLEncoder.encode(Says.values(choices()), StandardCharsets.UTF_8);
  }

  /** What can be decided by whoever looks: an owner acknowledges nothing. */
  public List<Choice> choices() {
    return item == null
        ? List.of()
        : item.waits().choices().stream()
            .filter(
                each -> powers == DeskPage.Powers.DECIDES || each.act() != Choice.Act.ACKNOWLEDGE)
            .toList();
  }
}
