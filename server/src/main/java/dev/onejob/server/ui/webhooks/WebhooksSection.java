package dev.onejob.server.ui.webhooks;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.WebhookId;
import dev.onejob.server.http.operation.WebhookActs;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Form;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import dev.onejob.store.Deliveries.Standing;
import dev.onejob.store.DeliveryLog;
import dev.onejob.store.Webhooks;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Webhooks of the person's owner, for operators of all, and their logs. */
public final class WebhooksSection implements Section {
  /** A page of a list: some sixty kilobytes at most. */
  private static final int PAGE_ROWS = 50;

  /** Refusals after which the page of the delivery says more than the refusal alone. */
  private static final Set<ProblemType> SHOWN_BESIDE =
      Set.of(
          ProblemType.DELIVERY_UNDER_WAY,
          ProblemType.DELIVERY_CHANGED,
          ProblemType.WEBHOOK_NOT_IN_USE);

  private final Webhooks webhooks;
  private final DeliveryLog log;
  private final WebhookActs acts;

  /** Over what pages are made from. */
  public WebhooksSection(Means means) {
    this.webhooks = new Webhooks(means.reading());
    this.log = new DeliveryLog(means.reading());
    this.acts = new WebhookActs(means.webhooks());
  }

  @Override
  public Place place() {
    return Place.WEBHOOKS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/webhooks", this::list);
    doors.read("/webhooks/{id}", this::log);
    doors.read("/webhooks/deliveries/{id}", this::delivery);
    doors.press("/webhooks/deliveries/{id}/resend", this::resend);
  }

  private void list(Visit visit) throws IOException {
    WebhookId before = cursor(visit, WebhookId::parse);
    List<Webhook> page = webhooks.list(visit.reach().owner(), before, PAGE_ROWS);
    String next = page.size() < PAGE_ROWS ? null : "?before=" + page.getLast().id();
    String self = before == null ? path() : path() + "?before=" + before;
    visit.pageOrPart(
        "webhooks/page", "webhooks/list", "Webhooks", new WebhooksView(page, next, self));
  }

  private void log(Visit visit) throws IOException {
    Webhook webhook =
        WebhookId.parse(visit.path("id"))
            .flatMap(webhooks::webhook)
            .filter(found -> visit.reach().covers(found.owner()))
            .orElseThrow(Problem::notFound);
    Delivery.State state = state(visit.query("state"));
    DeliveryId before = cursor(visit, DeliveryId::parse);
    List<Delivery> page = log.list(webhook.id(), state, before, PAGE_ROWS);
    String chosen = state == null ? "?" : "?state=" + state.word() + "&";
    String next = page.size() < PAGE_ROWS ? null : chosen + "before=" + page.getLast().id();
    String self = path() + "/" + webhook.id() + chosen + (before == null ? "" : "before=" + before);
    visit.pageOrPart(
        "webhooks/log_page",
        "webhooks/log",
        "Webhook " + webhook.name(),
        new LogView(webhook, state, page, next, self));
  }

  private void delivery(Visit visit) throws IOException {
    visit.pageOrPart(
        "webhooks/delivery_page",
        "webhooks/delivery",
        "Delivery",
        view(visit, /* refused= */ null));
  }

  private void resend(Visit visit) throws IOException {
    DeliveryId id = view(visit, /* refused= */ null).delivery().id();
    try {
      acts.resend(visit.who(), id, seen(visit.form()));
    } catch (ProblemException e) {
      if (!SHOWN_BESIDE.contains(e.problem().type())) {
        throw e;
      }
      visit.refused("webhooks/delivery_page", "Delivery", e.problem(), view(visit, e.problem()));
      return;
    }
    visit.goTo(deliveryPath(id));
  }

  /** How the delivery stood on the page that was pressed. */
  private static Standing seen(Form form) {
    Delivery.State state = stateOf(form.required("state"));
    if (state == null) {
      throw Problem.field("/state", "This is waiting, delivered or failed.");
    }
    try {
      return new Standing(state, Integer.parseInt(form.required("tries")));
    } catch (NumberFormatException e) {
      throw Problem.field("/tries", "This is the number of tries that were made.");
    }
  }

  /** The log of a webhook that was removed cannot be read any more. */
  private DeliveryView view(Visit visit, @Nullable Problem refused) {
    Delivery delivery =
        DeliveryId.parse(visit.path("id"))
            .flatMap(log::delivery)
            .filter(found -> visit.reach().covers(found.owner()))
            .orElseThrow(Problem::notFound);
    Webhook webhook = webhooks.webhook(delivery.webhook()).orElseThrow(Problem::notFound);
    return new DeliveryView(delivery, webhook, refused);
  }

  private static Delivery.@Nullable State state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    Delivery.State state = stateOf(word);
    if (state == null) {
      throw Problem.parameter("state", "This is waiting, delivered or failed.");
    }
    return state;
  }

  private static Delivery.@Nullable State stateOf(String word) {
    for (Delivery.State each : Delivery.State.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return null;
  }

  private static <T> @Nullable T cursor(Visit visit, Function<String, Optional<T>> parse) {
    String text = visit.query("before");
    return text == null
        ? null
        : parse
            .apply(text)
            .orElseThrow(() -> Problem.parameter("before", "This is no id of this list."));
  }

  private static String path() {
    return Place.WEBHOOKS.path();
  }

  static String deliveryPath(DeliveryId id) {
    return path() + "/deliveries/" + id;
  }
}
