package dev.onejob.server.http.wire;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.Webhook;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Webhooks and what they were told. */
public final class WebhookWriter {
  private WebhookWriter() {}

  /** A webhook with a secret that was just made: the only time that it is shown. */
  public static byte[] write(Webhook webhook, String secret) {
    return JsonOut.object(
        out -> {
          members(out, webhook);
          out.text("secret", secret);
        });
  }

  /** A webhook. */
  public static byte[] write(Webhook webhook) {
    return JsonOut.object(out -> members(out, webhook));
  }

  /**
   * A page of webhooks.
   *
   * @param next where the next page begins; null at the end
   */
  public static byte[] write(List<Webhook> webhooks, @Nullable String next) {
    return JsonOut.object(
        out -> {
          out.list("webhooks", webhooks, WebhookWriter::members);
          out.text("next_cursor", next);
        });
  }

  private static void members(JsonOut out, Webhook webhook) {
    out.id("id", webhook.id());
    out.id("owner", webhook.owner());
    out.text("name", webhook.name());
    out.text("url", webhook.url());
    out.texts("events", webhook.events().stream().map(Webhook.Event::word).toList());
    out.text("jobs", webhook.jobs().word());
    out.time("created_at", webhook.createdAt());
    out.number("failures", webhook.failures());
    out.texts(
        "earlier_secrets_until", webhook.secretsUntil().stream().map(Instant::toString).toList());
    out.time("disabled_at", webhook.disabledAt());
    out.text("disabled_reason", webhook.disabledReason());
  }

  /** A delivery. */
  public static byte[] write(Delivery delivery) {
    return JsonOut.object(out -> members(out, delivery));
  }

  /**
   * A page of a log.
   *
   * @param next where the next page begins; null at the end
   */
  public static byte[] writeLog(List<Delivery> deliveries, @Nullable String next) {
    return JsonOut.object(
        out -> {
          out.list("deliveries", deliveries, WebhookWriter::members);
          out.text("next_cursor", next);
        });
  }

  private static void members(JsonOut out, Delivery delivery) {
    Delivery.News news = delivery.news();
    out.id("id", delivery.id());
    out.id("webhook_id", delivery.webhook());
    out.id("owner", delivery.owner());
    out.text("type", news.event().word());
    out.id("job_id", news.job());
    out.text("job_key", news.key().value());
    out.text("kind", news.kind());
    out.text("job_state", news.jobState().word());
    out.text("failure_code", news.failureCode());
    out.time("occurred_at", news.occurredAt());
    out.text("state", delivery.state().word());
    out.time("next_try_at", delivery.nextAt());
    out.time("ended_at", delivery.endedAt());
    out.list("tries", delivery.tries(), WebhookWriter::members);
  }

  private static void members(JsonOut out, Delivery.Try tried) {
    out.number("number", tried.number());
    out.text("node", tried.node());
    out.time("started_at", tried.startedAt());
    out.time("ended_at", tried.endedAt());
    out.text("outcome", tried.outcome() == null ? null : tried.outcome().word());
    if (tried.status() == null) {
      out.nothing("status");
    } else {
      out.number("status", tried.status());
    }
    out.text("message", tried.message());
  }
}
