package dev.onejob.server.ui.desk;

import dev.onejob.domain.Choice;
import dev.onejob.domain.Job;
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
 * @param mark as what the form shows the job, which was read first: nothing here is older
 * @param problem why it was not done; null: nothing was refused
 */
public record JobPage(
    Job job,
    DeskPage.@Nullable Item item,
    DeskPage.Powers powers,
    Filled filled,
    @Nullable String earlier,
    String mark,
    @Nullable Problem problem) {
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
