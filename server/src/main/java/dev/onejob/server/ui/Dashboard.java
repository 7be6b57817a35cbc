package dev.onejob.server.ui;

import dev.onejob.server.access.Sessions;
import dev.onejob.server.config.UiSettings;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.ui.configuration.ConfigurationSection;
import dev.onejob.server.ui.desk.DeskSection;
import dev.onejob.server.ui.job.JobSection;
import dev.onejob.server.ui.jobs.JobsSection;
import dev.onejob.server.ui.keys.KeysSection;
import dev.onejob.server.ui.live.EventStream;
import dev.onejob.server.ui.live.Feed;
import dev.onejob.server.ui.overview.OverviewSection;
import dev.onejob.server.ui.page.Assets;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Pages;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.playground.PlaygroundSection;
import dev.onejob.server.ui.qualifications.QualificationsSection;
import dev.onejob.server.ui.webhooks.WebhooksSection;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dashboard of one node. */
public final class Dashboard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private final Assets assets = new Assets();
  private final List<Section> sections;
  private final Sessions sessions;
  private final Feed feed;
  private final EventStream stream;
  private final Entrance entrance;
  private final Gate gate;
  private final Login login;

  private Dashboard(Means means, UiSettings settings) {
    this.sections = sections(means);
    List<Place> places = sections.stream().map(Section::place).distinct().toList();
    Pages pages =
        new Pages(
            assets, places.stream().sorted(Comparator.naturalOrder()).toList(), means.clock());
    this.sessions = new Sessions(means.reading(), settings.sessionIdle(), settings.sessionMax());
    this.feed = new Feed(means.reading(), settings.streamsMax());
    this.stream = new EventStream(feed, System::nanoTime);
    this.entrance = new Entrance(sessions, settings.poolSize());
    this.gate = new Gate(sessions, entrance, pages);
    this.login = new Login(means.keys(), sessions, pages, feed, entrance);
  }

  /** The parts of the dashboard, one line each. */
  private static List<Section> sections(Means means) {
    return List.of(
        new OverviewSection(means),
        new JobsSection(means),
        new JobSection(means),
        new DeskSection(means),
        new QualificationsSection(means),
        new WebhooksSection(means),
        new KeysSection(means),
        new ConfigurationSection(means),
        new PlaygroundSection(means));
  }

  /** Makes it and begins to look for changes; what it is given stays the caller's to close. */
  public static Dashboard start(Means means, UiSettings settings) {
    Dashboard dashboard = new Dashboard(means, settings);
    dashboard.feed.start();
    return dashboard;
  }

  /** Registers every page. The last of them answers for every address that is none. */
  public void register(RoutesConfig routes) {
    read(routes, Place.ROOT + "/assets/{name}", this::asset);
    read(routes, Login.PATH, gate.inSteps(null, login::show));
    routes.post(Login.PATH, gate.inSteps(null, login::logIn));
    routes.post(Login.OUT, gate.inSteps(null, login::logOut));
    routes.get(Place.ROOT + "/events", this::events);
    for (Section each : sections) {
      each.open(new Registered(routes, each.place()));
    }
    read(routes, Place.ROOT + "/", ctx -> ctx.redirect(Place.ROOT));
    Handler nothing =
        gate.shown(
            ctx -> {
              throw Problem.notFound();
            });
    read(routes, Place.ROOT + "/<path>", nothing);
    routes.post(Place.ROOT + "/<path>", nothing);
  }

  /** HEAD as well: left to the router it would succeed wherever GET has a path. */
  private static void read(RoutesConfig routes, String path, Handler handler) {
    routes.get(path, handler);
    routes.head(path, handler);
  }

  private final class Registered implements Section.Doors {
    private final RoutesConfig routes;
    private final Place place;

    private Registered(RoutesConfig routes, Place place) {
      this.routes = routes;
      this.place = place;
    }

    @Override
    public void read(String path, Section.Page page) {
      Dashboard.read(routes, Place.ROOT + path, gate.reading(place, page));
    }

    @Override
    public void press(String path, Section.Page page) {
      routes.post(Place.ROOT + path, gate.pressing(place, Gate.Size.USUAL, page));
    }

    @Override
    public void decide(String path, Section.Page page) {
      routes.post(Place.ROOT + path, gate.pressing(place, Gate.Size.RESULT, page));
    }
  }

  private void asset(Context ctx) throws IOException {
    Pages.protect(ctx.res());
    String name = ctx.pathParam("name");
    Assets.Asset asset = assets.find(name).orElseThrow(Problem::notFound);
    if (assets.isOwn(name)) {
      ctx.res().setHeader("Cache-Control", FOR_EVER);
      ctx.res().setHeader("Vary", "");
    }
    ctx.res().setContentType(asset.mediaType());
    ctx.res().setContentLength(asset.bytes().length);
    gate.give(ctx, asset.bytes());
  }

  /**
   * A live page is held for long, and bounded by the feed; room is taken only for what is asked.
   */
  private void events(Context ctx) throws Exception {
    EventStream.Watched watched = gate.ofHeld(ctx, session -> stream.watched(ctx, session));
    stream.hold(ctx, watched, () -> stillThere(ctx));
  }

  private boolean stillThere(Context ctx) {
    try {
      return entrance.admit(ctx, Optional::isPresent);
    } catch (ProblemException e) {
      LOG.debug("there was no room to ask whether a session still is; it is asked again", e);
      return true;
    } catch (Exception e) {
      LOG.debug("whether a session still is could not be asked", e);
      return false;
    }
  }

  /** Ends every live page, and what the parts have under way. */
  @Override
  public void close() {
    feed.close();
    sections.forEach(Section::close);
  }
}
