package dev.onejob.server.webhooks;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/** Where requests may go: looks an address up once and judges what it finds. */
public final class Destinations {
  private final WebhookSettings settings;
  private final Resolver resolver;

  public Destinations(WebhookSettings settings, Resolver resolver) {
    this.settings = settings;
    this.resolver = resolver;
  }

  /** The judgement of one look. */
  public sealed interface Judged {
    /** To be connected to, these and no others. */
    record Allowed(URI target, List<InetAddress> addresses) implements Judged {}

    /** Not to be connected to. Says nothing of the addresses that were found. */
    record Forbidden(String why) implements Judged {}

    /** Nobody knows the name, at the moment. */
    record Unknown(String why) implements Judged {}
  }

  /** Judges a URL. All of its addresses must be allowed, or none is used. */
  public Judged judge(String url) {
    URI target;
    try {
      target = Address.of(url, "");
    } catch (InvalidSetting e) {
      return new Judged.Forbidden(String.valueOf(e.getMessage()).replaceFirst("^: ", ""));
    }
    if (settings.scheme() == WebhookSettings.Scheme.HTTPS
        && !"https".equalsIgnoreCase(target.getScheme())) {
      return new Judged.Forbidden("only https addresses are allowed here");
    }
    try {
      InetAddress[] found = resolver.resolve(host(target));
      for (InetAddress each : found) {
        if (!settings.policy().allows(each)) {
          return new Judged.Forbidden("the host has an address that webhooks may not reach");
        }
      }
      return new Judged.Allowed(target, List.of(found));
    } catch (UnknownHostException e) {
      return new Judged.Unknown("the name of the host was not found, or not in time");
    }
  }

  private static String host(URI target) {
    String host = target.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
