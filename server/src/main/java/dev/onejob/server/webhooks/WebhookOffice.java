package dev.onejob.server.webhooks;

import dev.onejob.domain.Names;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.domain.WebhookId;
import dev.onejob.server.webhooks.Destinations.Judged;
import dev.onejob.store.Deliveries;
import dev.onejob.store.DeliveryLog;
import dev.onejob.store.Webhooks;
import dev.onejob.store.Webhooks.NewWebhook;
import dev.onejob.store.Webhooks.Registered;
import dev.onejob.store.Webhooks.Rotated;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;

/** Registers webhooks, makes their secrets, and shows what was told. */
public final class WebhookOffice {
  /** As Standard Webhooks asks: 24 to 64 bytes. */
  private static final int SECRET_BYTES = 32;

  private final Webhooks webhooks;
  private final Deliveries deliveries;
  private final DeliveryLog log;
  private final Destinations destinations;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  /** Over a database. */
  public WebhookOffice(DataSource database, Destinations destinations, InstantSource clock) {
    this.webhooks = new Webhooks(database);
    this.deliveries = new Deliveries(database);
    this.log = new DeliveryLog(database);
    this.destinations = destinations;
    this.clock = clock;
  }

  /** What an owner asks for. */
  public record Wish(Owner owner, String name, String url, List<Event> events, Jobs jobs) {}

  /** A member of a wish cannot be used. */
  public static final class UnusableWish extends Exception {
    private static final long serialVersionUID = 1L;

    private final String member;

    private UnusableWish(String member, String message) {
      super(message, null, false, false);
      this.member = member;
    }

    /** The member, as in the body of the call. */
    public String member() {
      return member;
    }
  }

  /**
   * What became of it.
   *
   * @param secret in the form that receivers are given; of use only if one was made
   */
  public record Answer(Registered registered, String secret) {}

  /**
   * Registers a webhook with a new secret. A host that nobody knows yet is taken; one that webhooks
   * may not reach is not. Either is judged anew at each try.
   *
   * @throws UnusableWish saying which member cannot be used
   */
  public Answer register(Wish wish) throws UnusableWish {
    check(wish);
    byte[] secret = secret();
    Registered registered =
        webhooks.register(
            new NewWebhook(
                WebhookId.next(clock.millis(), random),
                wish.owner(),
                wish.name(),
                wish.url(),
                wish.events().stream().distinct().toList(),
                wish.jobs(),
                secret));
    return new Answer(registered, Signature.text(secret));
  }

  private void check(Wish wish) throws UnusableWish {
    try {
      Names.checked("webhook", wish.name());
    } catch (IllegalArgumentException e) {
      throw new UnusableWish("name", String.valueOf(e.getMessage()));
    }
    if (wish.events().isEmpty()) {
      throw new UnusableWish("events", "At least one event is needed.");
    }
    if (wish.url().length() > Webhook.URL_CHARS_MAX) {
      throw new UnusableWish("url", "At most " + Webhook.URL_CHARS_MAX + " characters.");
    }
    if (destinations.judge(wish.url()) instanceof Judged.Forbidden forbidden) {
      throw new UnusableWish("url", forbidden.why());
    }
  }

  private byte[] secret() {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return secret;
  }

  /**
   * What became of a wish for a new secret.
   *
   * @param secret in the form that receivers are given; of use only if it is done
   */
  public record NewSecret(Rotated rotated, String secret) {}

  /** Makes a new secret; the one before signs beside it for the overlap. */
  public NewSecret rotate(WebhookId id, Duration overlap) {
    byte[] secret = secret();
    return new NewSecret(webhooks.rotate(id, secret, overlap), Signature.text(secret));
  }

  /** The webhooks. */
  public Webhooks webhooks() {
    return webhooks;
  }

  /** What is on its way. */
  public Deliveries deliveries() {
    return deliveries;
  }

  /** What was told. */
  public DeliveryLog log() {
    return log;
  }
}
