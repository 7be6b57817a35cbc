package dev.onejob.engine;

import static dev.onejob.engine.EngineFixture.result;
import static dev.onejob.engine.EngineFixture.submit;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Result;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.CallbackHead;
import dev.onejob.provider.CallbackMessage;
import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A reason to look at an attempt that comes before any node has found that it is in doubt: nodes
 * look for such attempts once in an hour here, and first ask an hour later.
 */
class NewsOfNewDoubtTest {
  private static final Duration FAR_AWAY = Duration.ofHours(1);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private final ScriptedProvider asked =
      new ScriptedProvider(
          Askable.capabilities(
              StatusProbe.BY_PROVIDER_ID, NegativeAnswer.FINAL, TerminalState.STABLE));
  private EngineFixture fixture;
  private JobEngine node;

  @BeforeEach
  void start() {
    fixture = new EngineFixture(postgres.dataSource());
    ProbePolicy late = new ProbePolicy(FAR_AWAY, FAR_AWAY, Duration.ofSeconds(30), FAR_AWAY, 2);
    Kind kind = Engines.patient(Engines.exclusive("plain", "s")); // no timeout makes the doubt
    EngineConfig usual = Engines.config(List.of(kind), Map.of("s", new Speaks()));
    node =
        fixture.node(
            new EngineConfig(
                usual.node(),
                usual.kinds(),
                Map.of("s", new EngineConfig.ProviderSlot(new Speaks(), 64, late)),
                usual.slots(),
                usual.pollInterval(),
                FAR_AWAY));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  /** Says of any work that something has become of it, and not what. */
  private final class Speaks implements Provider, CallbackReader {
    @Override
    public Capabilities capabilities() {
      return asked.capabilities();
    }

    @Override
    public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
      return asked.call(request, watch);
    }

    @Override
    public Finding lookup(Inquiry inquiry) {
      return asked.lookup(inquiry);
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
      return message.header("signature").isPresent()
          ? new Sender.Proved(/* eventId= */ null)
          : new Sender.Unproved();
    }

    @Override
    public Content read(byte[] body) {
      return new Content.Says(
          /* eventId= */ null,
          /* attempt= */ null,
          new String(body, UTF_8),
          new Finding.CannotSay(new Failure("event", "look")));
    }
  }

  private static CallbackMessage message(Map<String, String> headers) {
    return new CallbackMessage(headers, "ref-1".getBytes(UTF_8));
  }

  private JobId inDoubt() {
    JobId id = submit(node, "k", "plain");
    ScriptedProvider.Call call = asked.next();
    call.accept("ref-1");
    call.answer(new Outcome.InDoubt(new Failure("cut", "the line was cut")));
    fixture.awaitAttempt(id, 1, AttemptState.UNKNOWN);
    asked.found(new Finding.Succeeded(new Result(Result.Format.JSON, "1".getBytes(UTF_8)), null));
    return id;
  }

  @Test
  void a_signed_event_has_it_asked_about_at_once() throws Exception {
    JobId id = inDoubt();

    assertThat(
            node.providerCallbacks()
                .atProvider("s", message(Map.of("signature", "good")), Instant.now()))
        .containsInstanceOf(ProviderCallbacks.Answer.Noted.class);

    assertThat(result(fixture.awaitState(id, JobState.SUCCEEDED))).isEqualTo("1");
    assertThat(asked.lookups()).hasSize(1);
  }

  @Test
  void an_event_without_a_signature_has_it_asked_about_at_once() throws Exception {
    JobId id = inDoubt();

    assertThat(node.providerCallbacks().atProvider("s", message(Map.of()), Instant.now()))
        .containsInstanceOf(ProviderCallbacks.Answer.Looking.class);

    assertThat(result(fixture.awaitState(id, JobState.SUCCEEDED))).isEqualTo("1");
    assertThat(asked.lookups()).hasSize(1);
  }
}
