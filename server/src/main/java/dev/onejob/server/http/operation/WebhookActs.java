package dev.onejob.server.http.operation;

import dev.onejob.domain.DeliveryId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.webhooks.WebhookOffice;
import dev.onejob.store.Deliveries.Resent;
import dev.onejob.store.Deliveries.Standing;

/**
 * What a person can do with webhooks: one way for the API and the dashboard. Safe for many threads.
 */
public final class WebhookActs {
  private final WebhookOffice office;

  public WebhookActs(WebhookOffice office) {
    this.office = office;
  }

  /**
   * Sends an event again, under the same id.
   *
   * @throws ProblemException that says why it is not sent; of another owner's it says what it says
   *     of none
   */
  public void resend(Credential caller, DeliveryId id) {
    answer(office.deliveries().resend(OwnWebhook.find(office, caller, id).id()));
  }

  /**
   * The same, if the delivery is still as it was shown.
   *
   * @throws ProblemException that says why it is not sent
   */
  public void resend(Credential caller, DeliveryId id, Standing seen) {
    answer(office.deliveries().resend(OwnWebhook.find(office, caller, id).id(), seen));
  }

  private static void answer(Resent resent) {
    switch (resent) {
      case DONE -> {}
      case UNDER_WAY ->
          throw Problem.of(
                  ProblemType.DELIVERY_UNDER_WAY,
                  "The event is being sent at this moment; look at its log.")
              .asException();
      case CHANGED ->
          throw Problem.of(
                  ProblemType.DELIVERY_CHANGED,
                  "Nothing was sent: it has changed meanwhile. This is how it stands now.")
              .asException();
      case NOT_IN_USE ->
          throw Problem.of(
                  ProblemType.WEBHOOK_NOT_IN_USE,
                  "The webhook of this event is disabled or removed; nothing is sent there.")
              .asException();
      case NOT_FOUND -> throw Problem.notFound();
    }
  }
}
