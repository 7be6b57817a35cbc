package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.RawHttp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C30: which keys there are, and which are the same. */
final class IdempotencyKeyTest {
  private static final String BODY = "{\"kind\":\"plain\",\"input\":{}}";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private String secret;

  @BeforeEach
  void be_an_owner_of_its_own() {
    secret = api.node().secret(Role.CLIENT, UUID.randomUUID().toString());
  }

  @Test
  void a_missing_key_is_refused_and_told_what_to_do() {
    ApiAnswer answer = raw(List.of());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("idempotency-key-missing");
    assertThat(answer.header("Link").orElseThrow()).contains("openapi.json");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255})
  void a_key_of_1_to_255_characters_is_taken(int chars) {
    ApiAnswer answer = raw(List.of(random(chars)));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.at("/key")).hasSize(chars);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256, 3_000, 100_000})
  void a_key_of_another_length_is_refused(int chars) {
    ApiAnswer answer = raw(List.of(random(chars)));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("idempotency-key-invalid");
  }

  @Test
  void a_long_key_that_compresses_well_is_refused_too() {
    assertThat(raw(List.of("a".repeat(3_000))).code()).isEqualTo("idempotency-key-invalid");
  }

  @Test
  void keys_that_differ_in_case_or_spelling_have_jobs_of_their_own() {
    String upper = raw(List.of("K")).at("/id");
    String lower = raw(List.of("k")).at("/id");
    String encoded = raw(List.of("k%20")).at("/id");
    assertThat(List.of(upper, lower, encoded)).doesNotHaveDuplicates();
  }

  @Test
  void the_quoted_and_the_bare_form_are_the_same_key() {
    ApiAnswer bare = raw(List.of("k"));
    ApiAnswer quoted = raw(List.of("\"k\""));
    assertThat(quoted.status()).isEqualTo(200);
    assertThat(quoted.at("/id")).isEqualTo(bare.at("/id"));
  }

  /** Space around a header value is no part of it (RFC 9110, section 5.5); inside quotes it is. */
  @Test
  void a_space_within_the_quotes_is_refused_and_never_trimmed() {
    assertThat(raw(List.of("\"k \"")).code()).isEqualTo("idempotency-key-invalid");
    assertThat(raw(List.of("\"k\" ")).at("/key")).isEqualTo("k");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a, b", "a\tb", "\"a\"b", "\"a", "\u043a\u043b\u044e\u0447", "k\u00e9"})
  void what_is_no_single_visible_ascii_key_is_refused(String value) {
    String latin = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertThat(raw(List.of(latin)).code()).isEqualTo("idempotency-key-invalid");
  }

  @Test
  void two_headers_are_refused_even_if_they_agree() {
    assertThat(raw(List.of("k", "k")).code()).isEqualTo("idempotency-key-invalid");
  }

  private static String random(int chars) {
    return new Random(7)
        .ints(chars, '!' + 2, '~' + 1)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private ApiAnswer raw(List<String> keys) {
    String lines =
        keys.stream().map(key -> "Idempotency-Key: " + key + "\r\n").collect(Collectors.joining());
    String request =
        "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
            + secret
            + "\r\nContent-Type: application/json\r\n"
            + lines
            + "Content-Length: "
            + BODY.length()
            + "\r\n\r\n"
            + BODY;
    return RawHttp.send(api.uri(), request, "POST /v1/jobs");
  }
}
