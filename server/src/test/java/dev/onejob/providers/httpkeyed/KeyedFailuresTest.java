package dev.onejob.providers.httpkeyed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.httpkeyed.KeyedFarSide.LookUp;
import dev.onejob.testkit.ProviderCall;
import dev.onejob.testkit.RecordingWatch;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * What answers mean to the first request and to its repetition, beyond the table that all adapters
 * share: {@link StripeFailureTableTest}, {@link PlainFailureTableTest}.
 */
final class KeyedFailuresTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);

  private static Provider at(URI address) {
    return KeyedFarSide.stripe(address, "SERVE", LookUp.NONE);
  }

  private static ProviderRequest request(Duration timeout) {
    return ProviderCall.request("{\"order\":7}".getBytes(UTF_8), timeout, Duration.ZERO);
  }

  private static Outcome call(URI address, Duration timeout) throws Exception {
    return ProviderCall.start(at(address), request(timeout)).outcome();
  }

  private static Outcome call(RawServer server) throws Exception {
    Outcome outcome = call(server.uri(), AMPLE);
    assertThat(server.requests()).hasSize(1);
    return outcome;
  }

  private static Finding replay(RawServer server) throws Exception {
    return at(server.uri()).replay(request(AMPLE), () -> true);
  }

  @ParameterizedTest
  @CsvSource({
    "301, refused, cannot-say",
    "302, in-doubt, cannot-say",
    "307, refused, cannot-say",
    "400, refused, cannot-say",
    "401, refused, cannot-say",
    "402, failed, failed",
    "403, refused, cannot-say",
    "404, refused, cannot-say",
    "408, in-doubt, cannot-say",
    "409, in-doubt, cannot-say",
    "413, refused, cannot-say",
    "418, in-doubt, cannot-say",
    "422, refused, cannot-say",
    "424, in-doubt, cannot-say",
    "425, in-doubt, cannot-say",
    "429, retryable, cannot-say",
    "500, in-doubt, cannot-say",
    "502, in-doubt, cannot-say",
    "503, in-doubt, cannot-say",
    "504, in-doubt, cannot-say",
    "529, in-doubt, cannot-say",
    "599, in-doubt, cannot-say"
  })
  void each_status_means_one_thing_to_the_first_request_and_another_to_its_repetition(
      int status, String first, String repetition) throws Exception {
    try (RawServer server = RawServer.answering(status, "{\"error\":{\"type\":\"x\"}}")) {
      assertThat(word(call(server))).isEqualTo(first);
      assertThat(word(replay(server))).isEqualTo(repetition);
    }
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused r -> r.retryability() == Retryability.FINAL ? "refused" : "retryable";
      case Outcome.Failed f -> "failed";
      case Outcome.Succeeded s -> "succeeded";
      case Outcome.InDoubt d -> "in-doubt";
      case Outcome.Stopped s -> "stopped";
    };
  }

  private static String word(Finding finding) {
    return switch (finding) {
      case Finding.Succeeded s -> "succeeded";
      case Finding.Failed f -> "failed";
      case Finding.Stopped s -> "stopped";
      case Finding.AtWork w -> "at-work";
      case Finding.NotFound n -> "not-found";
      case Finding.CannotSay c -> "cannot-say";
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // an empty answer
        "<html><body>Welcome to the hotel</body></html>",
        "{\"id\":\"pi_1\",\"status\":\"succ",
        "{\"error\":{\"type\":\"api_error\"}}",
        "{\"status\":\"succeeded\",\"status\":\"canceled\"}",
        "{\"id\":\"pi_1\"}",
        "{\"id\":\"pi_1\",\"status\":\"requires_action\"}",
        "{\"id\":\"pi_1\",\"status\":7}",
        "null",
        "[]"
      })
  void a_200_that_is_not_what_was_agreed_upon_is_in_doubt(String body) throws Exception {
    try (RawServer server = RawServer.answering(200, body)) {
      assertThat(call(server)).isInstanceOf(Outcome.InDoubt.class);
      assertThat(replay(server)).isInstanceOf(Finding.CannotSay.class);
    }
  }

  /** Whatever has read the request may have acted, whether it closes or resets. */
  @Test
  void a_connection_that_ends_without_a_byte_is_in_doubt_and_saw_one_request() throws Exception {
    for (RawServer.Behaviour end : List.<RawServer.Behaviour>of(Socket::close, RawServer::reset)) {
      try (RawServer server = RawServer.start(end)) {
        assertThat(call(server)).isInstanceOf(Outcome.InDoubt.class);
        assertThat(replay(server)).isInstanceOf(Finding.CannotSay.class);
        assertThat(server.requests()).as("one for the call, one for the replay").hasSize(2);
      }
    }
  }

  @Test
  void an_idle_connection_that_the_server_closes_is_never_written_to_again() throws Exception {
    String whole = RawServer.whole(200, "{\"id\":\"pi_1\",\"status\":\"succeeded\"}");
    try (RawServer server =
        RawServer.start(connection -> RawServer.write(connection, whole, RawServer.End.KEEP))) {
      Provider provider = at(server.uri());
      for (int i = 1; i <= 3; i++) {
        assertThat(ProviderCall.start(provider, request(AMPLE)).outcome())
            .isInstanceOf(Outcome.Succeeded.class);
        assertThat(server.requests()).hasSize(i);
      }
    }
  }

  @Test
  void a_body_that_breaks_off_is_in_doubt() throws Exception {
    String cut = "HTTP/1.1 200 x\r\nContent-Length: 500\r\n\r\n{\"id\":\"pi_1\"";
    try (RawServer server = RawServer.answering(cut)) {
      assertThat(call(server)).isInstanceOf(Outcome.InDoubt.class);
      assertThat(replay(server)).isInstanceOf(Finding.CannotSay.class);
    }
  }

  private static Finding lookUp(String answer) throws Exception {
    try (RawServer server = RawServer.answering(answer)) {
      ProviderRequest request = request(AMPLE);
      return KeyedFarSide.stripe(server.uri(), "SERVE", LookUp.BY_ID)
          .lookup(
              new Inquiry(
                  request.jobId(),
                  request.attemptId(),
                  1,
                  "pay",
                  request.providerKey(),
                  "pi_1",
                  AMPLE));
    }
  }

  /** 402 means that it has failed, but for the request that acts alone. */
  @ParameterizedTest
  @ValueSource(ints = {200, 400, 402, 404, 409, 500})
  void an_answer_to_a_look_up_that_is_too_large_to_be_read_says_nothing(int status)
      throws Exception {
    String announces = "HTTP/1.1 " + status + " x\r\nContent-Length: 5000000000\r\n\r\n";
    assertThat(lookUp(announces)).isInstanceOf(Finding.CannotSay.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":\"pi_2\",\"status\":\"succeeded\"}",
        "{\"id\":\"pi_2\",\"status\":\"canceled\"}",
        "{\"id\":\"pi_2\",\"status\":\"processing\"}",
        "{\"status\":\"succeeded\"}"
      })
  void an_answer_to_a_look_up_that_is_not_about_the_id_says_nothing(String body) throws Exception {
    assertThat(lookUp(RawServer.whole(200, body))).isInstanceOf(Finding.CannotSay.class);
    String deep = "{\"id\":\"pi_1\",\"x\":" + "[".repeat(500) + "]".repeat(500) + "}";
    assertThat(lookUp(RawServer.whole(200, deep))).isInstanceOf(Finding.CannotSay.class);
    String ours = "{\"id\":\"pi_1\",\"status\":\"succeeded\"}";
    assertThat(lookUp(RawServer.whole(200, ours))).isInstanceOf(Finding.Succeeded.class);
  }

  /** Where no state is described, the status alone says whether it is done. */
  @ParameterizedTest
  @CsvSource({
    "200, succeeded, succeeded",
    "201, succeeded, succeeded",
    "202, in-doubt, at-work",
    "203, in-doubt, cannot-say",
    "206, in-doubt, cannot-say",
    "207, in-doubt, cannot-say"
  })
  void only_a_200_and_a_201_are_done_and_a_202_is_at_work(
      int status, String first, String repetition) throws Exception {
    try (RawServer server = RawServer.answering(status, "{\"id\":\"w_1\"}")) {
      ObjectNode settings = KeyedFarSide.settings(server.uri(), "SERVE", LookUp.NONE);
      settings.remove("state");
      Provider provider = new KeyedType().create("p", settings, KeyedFarSide.context());
      Outcome outcome = ProviderCall.start(provider, request(AMPLE)).outcome();
      assertThat(word(outcome)).isEqualTo(first);
      Finding finding = provider.replay(request(AMPLE), () -> true);
      assertThat(word(finding)).isEqualTo(repetition);
      if (finding instanceof Finding.AtWork work) {
        assertThat(work.providerRef()).isEqualTo("w_1");
      }
    }
    try (RawServer server = RawServer.answering(202, "{}")) {
      ObjectNode settings = KeyedFarSide.settings(server.uri(), "SERVE", LookUp.NONE);
      settings.remove("state");
      Provider provider = new KeyedType().create("p", settings, KeyedFarSide.context());
      assertThat(provider.replay(request(AMPLE), () -> true)).isInstanceOf(Finding.CannotSay.class);
    }
  }

  @Test
  void a_replay_does_not_leave_once_its_key_may_hold_no_more_and_that_is_asked_last()
      throws Exception {
    try (RawServer server = RawServer.answering(200, "{}")) {
      assertThat(at(server.uri()).replay(request(AMPLE), () -> false))
          .isInstanceOf(Finding.CannotSay.class);
      assertThat(server.requests()).isEmpty();
    }
    AtomicInteger asked = new AtomicInteger();
    URI closed = URI.create("http://127.0.0.1:1");
    assertThat(at(closed).replay(request(AMPLE), () -> asked.incrementAndGet() > 0))
        .isInstanceOf(Finding.CannotSay.class);
    assertThat(asked).as("there was no connection yet").hasValue(0);
  }

  @Test
  void a_payment_that_is_stopped_before_it_has_left_is_not_made() throws Exception {
    try (RawServer server = RawServer.answering(200, "{}")) {
      RecordingWatch watch = new RecordingWatch();
      assertThat(at(server.uri()).call(request(AMPLE), new StoppedOnTheWay(watch)))
          .isInstanceOf(Outcome.Stopped.class);
      assertThat(watch.handOvers()).isZero();
      assertThat(server.requests()).isEmpty();
    }
  }

  /** A stop is asked while the connection is made: after the last look at it before that. */
  private record StoppedOnTheWay(RecordingWatch watch) implements CallWatch {
    @Override
    public boolean mayLeave() {
      return watch.mayLeave();
    }

    @Override
    public void handedOver() {
      watch.handedOver();
    }

    @Override
    public void accepted(String providerRef) {
      watch.accepted(providerRef);
    }

    @Override
    public void onStop(Runnable stop) {
      watch.onStop(stop);
    }

    @Override
    public boolean stopAsked() {
      return watch.stopAsked();
    }

    @Override
    public Optional<String> traceparent() {
      watch.stop();
      return Optional.empty();
    }
  }

  @Test
  void a_result_that_is_too_large_is_over_and_no_doubt() throws Exception {
    String body = "{\"status\":\"succeeded\",\"x\":\"" + "x".repeat(5_000_000) + "\"}";
    try (RawServer server = RawServer.answering(200, body)) {
      assertThat(call(server)).isInstanceOf(Outcome.Failed.class);
      assertThat(replay(server)).isInstanceOf(Finding.Failed.class);
    }
  }
}
