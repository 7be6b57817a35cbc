package dev.onejob.providers.httpkeyed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PaymentPeer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A payment service with Stripe's rules; the input of a job says what it does. */
public final class KeyedFarSide implements FarSide {
  private final PaymentPeer peer = peer();
  private final Provider provider = stripe(peer.uri(), "{{/fate}}", LookUp.BY_ID);

  /** Whether payments can be looked up. */
  enum LookUp {
    NONE,
    BY_ID
  }

  private static PaymentPeer peer() {
    try {
      return PaymentPeer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  PaymentPeer payments() {
    return peer;
  }

  /** A provider of the profile, whose requests meet that fate. */
  static Provider stripe(URI address, String fate, LookUp lookUp) {
    return new KeyedType().create("payments", settings(address, fate, lookUp), context());
  }

  static ObjectNode settings(URI address, String fate, LookUp lookUp) {
    ObjectNode settings =
        (ObjectNode)
            JsonMapper.shared()
                .readTree(
                    """
                    {
                      "profile": "stripe",
                      "path": "/v1/payment_intents",
                      "api_key_env": "PAYMENTS_KEY",
                      "form": {"amount": "2000", "currency": "usd", "description": "{{}}"},
                      "state": {
                        "at": "/status",
                        "succeeded": ["succeeded"],
                        "failed": ["canceled"],
                        "at_work": ["processing"]
                      }
                    }
                    """);
    settings.put("base_url", address.toString());
    settings.withObjectProperty("form").put("metadata[fate]", fate);
    if (lookUp == LookUp.BY_ID) {
      settings.put("look_up", "/v1/payment_intents/{id}");
    }
    return settings;
  }

  static ProviderContext context() {
    return new ProviderContext(
        name -> name.equals("PAYMENTS_KEY") ? PaymentPeer.SECRET : null,
        Path.of("."),
        () -> URI.create("http://unused"));
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    PaymentPeer.Fate theirs =
        switch (fate) {
          case SERVE -> PaymentPeer.Fate.SERVE;
          case LOSE_ANSWER -> PaymentPeer.Fate.LOSE_ANSWER;
          case LOSE_REQUEST -> PaymentPeer.Fate.LOSE_REQUEST;
          case ACCEPT -> PaymentPeer.Fate.PROCESS;
          case HOLD -> PaymentPeer.Fate.HOLD;
          case FAIL_UNHEARD -> PaymentPeer.Fate.DECLINE_UNHEARD;
        };
    return Optional.of(("{\"fate\":\"" + theirs + "\"}").getBytes(UTF_8));
  }

  @Override
  public Tally tally() {
    return new Tally(peer.requests(), peer.questions(), 0, peer.effects());
  }

  @Override
  public void release() {
    peer.release();
  }

  @Override
  public void close() throws IOException {
    peer.close();
  }
}
