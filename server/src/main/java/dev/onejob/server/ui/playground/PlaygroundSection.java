package dev.onejob.server.ui.playground;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The playground. */
public final class PlaygroundSection implements Section {
  private static final String PAGE = "playground/page";

  /** What a browser can have been led to; anything else does not get into a line for a shell. */
  private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9.\\-]+(:[0-9]{1,5})?");

  private static final Pattern LITERAL = Pattern.compile("\\[[0-9A-Fa-f:.]+](:[0-9]{1,5})?");

  private final Means means;
  private final @Nullable Runs runs;

  /** Over what pages are made from. */
  public PlaygroundSection(Means means) {
    this.means = means;
    this.runs = means.grounds() == null ? null : new Runs(means, means.grounds(), System::nanoTime);
  }

  @Override
  public Place place() {
    return Place.PLAYGROUND;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/playground", this::show);
    doors.press("/playground", this::begin);
    doors.read("/playground/runs/{run}", this::run);
  }

  private void show(Visit visit) throws IOException {
    String named = visit.query("preset");
    Preset preset =
        named == null ? Preset.CLICK_TWICE : Preset.of(named).orElseThrow(Problem::notFound);
    Choice choice = runs == null ? null : Choice.usual(preset);
    visit.page(PAGE, "Playground", new PlaygroundView(choice, null));
  }

  private void begin(Visit visit) {
    Runs open = Optional.ofNullable(runs).orElseThrow(Problem::notFound);
    Form form = visit.form();
    Preset preset =
        Preset.of(form.required("preset"))
            .orElseThrow(() -> Problem.field("/preset", "There is no such preset."));
    Choice choice =
        new Choice(preset, play(form, "a", preset.firstDelayMillisMin()), play(form, "b", 0));
    Run run = open.begin(visit.who(), choice, api(visit));
    visit.goTo(Place.PLAYGROUND.path() + "/runs/" + run.id() + "#run");
  }

  private static Play play(Form form, String which, long delayMillisMin) {
    String delay = form.required("delay_" + which);
    String outcome = form.required("outcome_" + which);
    if (!delay.matches("[0-9]{1,5}")
        || Long.parseLong(delay) < delayMillisMin
        || Long.parseLong(delay) > Play.DELAY_MILLIS_MAX) {
      throw Problem.field(
          "/delay_" + which,
          "delay_"
              + which
              + " is a whole number of milliseconds from "
              + delayMillisMin
              + " to "
              + Play.DELAY_MILLIS_MAX
              + ".");
    }
    return new Play(
        Long.parseLong(delay),
        Play.Outcome.of(outcome)
            .orElseThrow(() -> Problem.field("/outcome_" + which, "There is no such outcome.")));
  }

  private void run(Visit visit) throws IOException {
    Runs open = Optional.ofNullable(runs).orElseThrow(Problem::notFound);
    RunView view = open.find(visit.who(), visit.path("run")).orElseThrow(Problem::notFound).shown();
    visit.pageOrPart(PAGE, "playground/run", "Playground", new PlaygroundView(view.choice(), view));
  }

  /** As the configuration says, else as this person reaches it. */
  private URI api(Visit visit) {
    URI configured = means.settings().server().publicUrl();
    if (configured != null) {
      return configured;
    }
    String host = Optional.ofNullable(visit.context().header("Host")).orElse("");
    boolean known = AUTHORITY.matcher(host).matches() || LITERAL.matcher(host).matches();
    String scheme = "https".equals(visit.context().header("X-Forwarded-Proto")) ? "https" : "http";
    return URI.create(known ? scheme + "://" + host : "http://localhost:8080");
  }

  @Override
  public void close() {
    if (runs != null) {
      runs.close();
    }
  }
}
