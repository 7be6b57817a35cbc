package dev.onejob.providers.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader.Sender;
import dev.onejob.providers.BoundedJson;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures by published vectors, and what does not pass for one. */
final class SignaturesTest {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private static CallbackMessage message(String body, Map<String, String> headers) {
    return new CallbackMessage(headers, body.getBytes(UTF_8));
  }

  /** The vector of the test suites of Standard Webhooks. */
  private static final String BODY = "{\"test\": 2432232314}";

  private static final long SECONDS = 1_614_265_330;
  private static final String RIGHT = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  private static final Signature STANDARD =
      new StandardWebhooks(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), FIVE_MINUTES);

  private static Map<String, String> standard(String signature) {
    return Map.of(
        "webhook-id",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp",
        Long.toString(SECONDS),
        "webhook-signature",
        signature);
  }

  private static Sender standard(String body, String signature, long now) throws Exception {
    return STANDARD.of(message(body, standard(signature)), Instant.ofEpochSecond(now));
  }

  @Test
  void the_published_vector_of_standard_webhooks_is_proved_and_names_its_event() throws Exception {
    assertThat(standard(BODY, RIGHT, SECONDS))
        .isEqualTo(new Sender.Proved("msg_p5jXN8AQM9LWM0D4loKWxJek"));
  }

  @Test
  void one_that_fits_among_several_is_enough_so_that_secrets_can_be_changed() throws Exception {
    assertThat(standard(BODY, "v1,AAAA v1a,BBBB " + RIGHT, SECONDS))
        .isInstanceOf(Sender.Proved.class);
    Signature two =
        new StandardWebhooks(
            List.of("whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), FIVE_MINUTES);
    assertThat(two.of(message(BODY, standard(RIGHT)), Instant.ofEpochSecond(SECONDS)))
        .isInstanceOf(Sender.Proved.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {SECONDS - 300, SECONDS + 300})
  void a_clock_five_minutes_off_on_either_side_is_near_enough(long now) throws Exception {
    assertThat(standard(BODY, RIGHT, now)).isInstanceOf(Sender.Proved.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {SECONDS - 301, SECONDS + 301, 0})
  void one_that_is_further_off_on_either_side_is_refused(long now) throws Exception {
    assertThat(standard(BODY, RIGHT, now)).isInstanceOf(Sender.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1,",
        "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OF=",
        "v1,h0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
      })
  void what_does_not_fit_is_refused(String signature) throws Exception {
    assertThat(standard(BODY, signature, SECONDS)).isInstanceOf(Sender.Refused.class);
  }

  @Test
  void a_body_that_is_the_same_json_in_other_bytes_does_not_fit() throws Exception {
    assertThat(standard("{\"test\":2432232314}", RIGHT, SECONDS))
        .isInstanceOf(Sender.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1614265330", "1614265330.5", "99999999999999999999", "now"})
  void a_time_that_is_no_number_of_seconds_is_refused_and_throws_nothing(String seconds)
      throws Exception {
    Hmac secret = new Hmac(Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    String signature =
        "v1,"
            + Base64.getEncoder()
                .encodeToString(secret.of(("id." + seconds + "." + BODY).getBytes(UTF_8)));
    Map<String, String> headers =
        Map.of("webhook-id", "id", "webhook-timestamp", seconds, "webhook-signature", signature);
    assertThat(STANDARD.of(message(BODY, headers), Instant.ofEpochSecond(SECONDS)))
        .isEqualTo(new Sender.Refused("webhook-timestamp is too far from this node's clock"));
  }

  @Test
  void a_secret_that_is_not_in_base_64_is_told_and_not_quoted() {
    assertThatThrownBy(() -> new StandardWebhooks(List.of("whsec_?secret?"), FIVE_MINUTES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("?secret?");
  }

  private static final Signature STRIPE =
      new StripeSignature(List.of("whsec_test_secret"), FIVE_MINUTES);

  /** By an independent HMAC over {@code 1700000000.{"id":"evt_1"}}. */
  private static final String OF_STRIPE =
      "248a374f50f943a28b0f6ab50faf9a7e7e29b710fa26df9fb1618b9bf8ea9c9a";

  private static Sender stripe(String header, long now) throws Exception {
    return STRIPE.of(
        message("{\"id\":\"evt_1\"}", Map.of("stripe-signature", header)),
        Instant.ofEpochSecond(now));
  }

  @Test
  void stripe_s_scheme_is_proved_by_any_of_its_current_signatures_and_by_no_other()
      throws Exception {
    long at = 1_700_000_000;
    assertThat(stripe("t=1700000000,v1=" + OF_STRIPE, at)).isInstanceOf(Sender.Proved.class);
    assertThat(stripe("t=1700000000,v1=00,v1=" + OF_STRIPE + ",v0=11", at))
        .isInstanceOf(Sender.Proved.class);
    assertThat(stripe("t=1700000000,v1=" + OF_STRIPE, at + 301)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("t=1700000000,v1=" + OF_STRIPE, at - 301)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("t=1700000001,v1=" + OF_STRIPE, at)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("t=1700000000,v0=" + OF_STRIPE, at)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("t=1700000000,t=1,v1=" + OF_STRIPE, at)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("v1=" + OF_STRIPE, at)).isInstanceOf(Sender.Refused.class);
    assertThat(stripe("", at)).isInstanceOf(Sender.Refused.class);
  }

  /** RFC 8037, appendix A: a key as JSON, and what it has signed. */
  @Test
  void a_published_key_is_read_as_rfc_8037_writes_it() throws Exception {
    String set =
        """
        {"keys": [
          {"kty": "RSA", "n": "x"},
          {"kty": "OKP", "crv": "X25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
          {"kty": "OKP", "crv": "Ed25519", "x": "too-short"},
          {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
        """;
    List<PublicKey> keys = PublishedKeys.read(BoundedJson.read(set.getBytes(UTF_8)));
    java.security.Signature check = java.security.Signature.getInstance("Ed25519");
    check.initVerify(keys.getFirst());
    check.update("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".getBytes(UTF_8));

    assertThat(keys).hasSize(1);
    assertThat(
            check.verify(
                Base64.getUrlDecoder()
                    .decode(
                        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7"
                            + "sVvpAr_MuM0KAg")))
        .isTrue();
  }

  private static String jwks(KeyPair pair) {
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] point = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\""
        + Base64.getUrlEncoder().withoutPadding().encodeToString(point)
        + "\"}]}";
  }

  private static CallbackMessage fal(KeyPair pair, String body, long seconds) throws Exception {
    String digest =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes(UTF_8)));
    java.security.Signature signing = java.security.Signature.getInstance("Ed25519");
    signing.initSign(pair.getPrivate());
    signing.update(("req-1\nuser-1\n" + seconds + "\n" + digest).getBytes(UTF_8));
    return message(
        body,
        Map.of(
            "x-fal-webhook-request-id",
            "req-1",
            "x-fal-webhook-user-id",
            "user-1",
            "x-fal-webhook-timestamp",
            Long.toString(seconds),
            "x-fal-webhook-signature",
            HexFormat.of().formatHex(signing.sign())));
  }

  @Test
  void fal_s_scheme_is_proved_by_a_key_it_publishes_which_is_fetched_once() throws Exception {
    KeyPair known = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    KeyPair stranger = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    AtomicInteger fetched = new AtomicInteger();
    AtomicReference<String> published = new AtomicReference<>("no keys yet");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext(
        "/",
        exchange -> {
          fetched.incrementAndGet();
          byte[] body = published.get().getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jwks.json");
      Instant now = Instant.ofEpochSecond(SECONDS);
      CallbackMessage right = fal(known, BODY, SECONDS);

      // What cannot be checked is neither right nor wrong: the provider sends it again.
      Signature unlucky = new FalSignature(new PublishedKeys(uri), "user-1", FIVE_MINUTES);
      assertThat(unlucky.of(right, now)).isInstanceOf(Sender.Unchecked.class);
      assertThat(unlucky.of(right, now)).isInstanceOf(Sender.Unchecked.class);
      assertThat(fetched).hasValue(1);

      published.set(jwks(known));
      Signature fal = new FalSignature(new PublishedKeys(uri), "user-1", FIVE_MINUTES);
      assertThat(fal.of(fal(known, BODY, SECONDS - 301), now)).isInstanceOf(Sender.Refused.class);
      assertThat(fetched).hasValue(1);
      assertThat(fal.of(right, now)).isEqualTo(new Sender.Proved("req-1"));
      assertThat(fal.of(right, now)).isEqualTo(new Sender.Proved("req-1"));
      // Nothing was fetched for these: the key might be a new one, so they are to come again.
      assertThat(fal.of(fal(stranger, BODY, SECONDS), now)).isInstanceOf(Sender.Unchecked.class);
      assertThat(fal.of(message(BODY + " ", right.headers()), now))
          .isInstanceOf(Sender.Unchecked.class);
      assertThat(fal.of(message(BODY, Map.of()), now)).isInstanceOf(Sender.Refused.class);
      assertThat(fetched).hasValue(2);
      Signature fresh = new FalSignature(new PublishedKeys(uri), "user-1", FIVE_MINUTES);
      assertThat(fresh.of(fal(stranger, BODY, SECONDS), now)).isInstanceOf(Sender.Refused.class);

      // The keys are those of all users: it has to be said which one speaks here.
      Signature anybody = new FalSignature(new PublishedKeys(uri), null, FIVE_MINUTES);
      assertThat(anybody.of(right, now)).isInstanceOf(Sender.Unproved.class);
      Signature other = new FalSignature(new PublishedKeys(uri), "another", FIVE_MINUTES);
      assertThat(other.of(right, now)).isInstanceOf(Sender.Refused.class);

      published.set("{\"keys\":[]}");
      assertThat(new FalSignature(new PublishedKeys(uri), "user-1", FIVE_MINUTES).of(right, now))
          .isInstanceOf(Sender.Unchecked.class);
    } finally {
      server.stop(0);
    }
  }
}
