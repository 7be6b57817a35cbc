package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Result;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.store.CallbackEvents;
import dev.onejob.store.CallbackEvents.Event;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that came before their attempts were known, one of which nothing can be made of. */
class KeptEventsTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider calls = new ScriptedProvider();
  private EngineFixture fixture;
  private CallbackEvents events;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    events = new CallbackEvents(postgres.dataSource());
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Takes what any body says for the result, and breaks at one. */
  private final class Speaks implements Provider, CallbackReader {
    @Override
    public Capabilities capabilities() {
      return Capabilities.NONE;
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      return calls.call(request, watch);
    }

    @Override
    public Optional<CallbackReader> callbackReader() {
      return Optional.of(this);
    }

    @Override
    public Optional<Sender.Refused> refusal(CallbackHead head, Instant now) {
      return Optional.empty();
    }

    @Override
    public Sender sender(CallbackMessage message, Instant now) {
      return new Sender.Proved(/* eventId= */ null);
    }

    @Override
    public Content read(byte[] body) {
      if (new String(body, UTF_8).equals("broken")) {
        throw new IllegalStateException("no reader may do that");
      }
      return new Content.Says(
          /* eventId= */ null,
          /* attempt= */ null,
          /* providerRef= */ null,
          new Finding.Succeeded(new Result(Result.Format.JSON, body), /* cost= */ null));
    }
  }

  private JobEngine node(String kind) {
    return fixture.node(
        Engines.config(List.of(Engines.exclusive(kind, "s")), Map.of("s", new Speaks())));
  }

  private JobId accepted(JobEngine node, String kind, String ref) {
    JobId id = submit(node, ref, kind);
    calls.next().accept(ref);
    fixture.awaitState(id, JobState.RUNNING);
    return id;
  }

  private void keep(String id, String ref, String body) {
    Event event =
        new Event("s", id, Integer.toHexString(ref.hashCode()).repeat(64).substring(0, 64));
    assertThat(events.keep(event, ref, body.getBytes(UTF_8))).isTrue();
  }

  private int number(String sql) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : -1;
    }
  }

  @Test
  void one_that_breaks_its_reader_keeps_no_other_waiting_and_goes_behind_them() throws Exception {
    keep("first", "r1", "broken");
    keep("second", "r2", "\"good\"");
    JobEngine node = node("one");
    accepted(node, "one", "r1");

    JobId good = submit(node, "r2", "one");
    calls.next().accept("r2"); // its event may end it before anybody has seen it run

    assertThat(result(fixture.awaitState(good, JobState.SUCCEEDED))).isEqualTo("\"good\"");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                number(
                        "SELECT count(*) FROM onejob.callback_event"
                            + " WHERE taken_at IS NULL AND tried_at IS NOT NULL")
                    == 1);
  }

  @Test
  void a_node_leaves_those_of_kinds_that_it_does_not_know_to_others() {
    JobEngine other = node("theirs");
    accepted(other, "theirs", "r1");
    keep("first", "r1", "1");

    assertThat(events.matched(List.of("s"), List.of("ours"), 10)).isEmpty();
  }

  @Test
  void no_more_bytes_are_kept_than_there_is_room_for() {
    byte[] large = new byte[4 << 20];
    int kept = 0;
    while (kept < 20 && events.keep(new Event("s", "e" + kept, "0".repeat(64)), "r", large)) {
      kept++;
    }

    assertThat(kept).isEqualTo(16);
    assertThat(events.keep(new Event("t", "e", "0".repeat(64)), "r", large)).isTrue();
  }
}
