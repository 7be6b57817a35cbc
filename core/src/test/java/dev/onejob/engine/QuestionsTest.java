package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Strength;
import dev.onejob.engine.Questions.Conclusion;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.NegativeAnswer;
import dev.onejob.provider.Capabilities.StatusProbe;
import dev.onejob.provider.Capabilities.SubmitDeduplication;
import dev.onejob.provider.Capabilities.TerminalState;
import dev.onejob.provider.Finding;
import dev.onejob.store.Probes.Bound;
import dev.onejob.store.Probes.Span;
import dev.onejob.store.Probes.Way;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows from declared capabilities: every one of their values, and nothing else. */
class QuestionsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration AT_ONCE = Duration.ofMillis(20);

  private static Capabilities declared(
      SubmitDeduplication keys,
      StatusProbe status,
      NegativeAnswer negative,
      TerminalState terminal,
      @Nullable Duration retention) {
    Capabilities none = Capabilities.NONE;
    return new Capabilities(
        keys,
        none.referenceSurvival(),
        status,
        negative,
        none.cancel(),
        terminal,
        none.hiddenReexecution(),
        none.billingOnCancel(),
        null,
        retention);
  }

  private static Questions questions(Capabilities capabilities) {
    return new Questions(capabilities, ProbePolicy.USUAL);
  }

  private static Questions remembering(@Nullable Duration retention) {
    return questions(
        declared(
            SubmitDeduplication.NONE,
            StatusProbe.BY_REFERENCE,
            NegativeAnswer.FINAL,
            TerminalState.STABLE,
            retention));
  }

  private static Conclusion conclusion(
      NegativeAnswer negative, TerminalState terminal, Finding finding) {
    return questions(
            declared(SubmitDeduplication.NONE, StatusProbe.BY_REFERENCE, negative, terminal, HOUR))
        .conclude(Way.BY_REFERENCE, finding, AT_ONCE);
  }

  @Test
  void a_provider_of_which_nothing_is_promised_cannot_be_asked() {
    assertThat(questions(Capabilities.NONE).ways()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NONE           | NONE       |
          BY_PROVIDER_ID | NONE       | BY_PROVIDER_ID
          BY_REFERENCE   | NONE       | BY_REFERENCE
          QUIESCENCE     | NONE       |
          NONE           | HEADER_KEY | BY_REPLAY
          NONE           | BODY_TOKEN | BY_REPLAY
          """)
  void each_declared_means_is_one_way_to_ask(
      StatusProbe status, SubmitDeduplication keys, @Nullable Way way) {
    Questions questions =
        questions(declared(keys, status, NegativeAnswer.FINAL, TerminalState.STABLE, HOUR));

    assertThat(questions.ways()).isEqualTo(way == null ? Set.of() : Set.of(way));
  }

  @Test
  void a_key_that_holds_for_nobody_knows_how_long_is_not_used_for_a_replay() {
    Questions questions =
        questions(
            declared(
                SubmitDeduplication.HEADER_KEY,
                StatusProbe.NONE,
                NegativeAnswer.FINAL,
                TerminalState.STABLE,
                null));

    assertThat(questions.ways()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_result_in_hand_is_proof_whatever_else_is_declared(TerminalState terminal) {
    Finding found = new Finding.Succeeded(new Result(Result.Format.JSON, new byte[] {'1'}), null);

    assertThat(conclusion(NegativeAnswer.MAY_COME_LATER, terminal, found))
        .isInstanceOf(Conclusion.Ends.class);
  }

  @Test
  void a_failure_or_a_stop_is_proof_only_where_it_stays() {
    Finding failed = new Finding.Failed(new Failure("x", "y"), Retryability.FINAL, null);
    Finding stopped = new Finding.Stopped("z");

    for (Finding ended : new Finding[] {failed, stopped}) {
      assertThat(conclusion(NegativeAnswer.FINAL, TerminalState.STABLE, ended))
          .isInstanceOf(Conclusion.Ends.class);
      assertThat(conclusion(NegativeAnswer.FINAL, TerminalState.MAY_CHANGE, ended).strength())
          .isEqualTo(Strength.HINT);
    }
  }

  @Test
  void not_found_is_proof_only_where_it_is_final_and_nothing_can_have_been_forgotten() {
    Finding notFound = new Finding.NotFound();

    assertThat(conclusion(NegativeAnswer.FINAL, TerminalState.MAY_CHANGE, notFound))
        .isEqualTo(new Conclusion.NotDone());
    assertThat(conclusion(NegativeAnswer.MAY_COME_LATER, TerminalState.STABLE, notFound))
        .isEqualTo(new Conclusion.Open());
    assertThat(remembering(null).conclude(Way.BY_REFERENCE, notFound, AT_ONCE))
        .isEqualTo(new Conclusion.Open());
    assertThat(remembering(HOUR).conclude(Way.BY_REPLAY, notFound, AT_ONCE))
        .isEqualTo(new Conclusion.Open());
  }

  @Test
  void what_a_frozen_node_hears_or_sends_too_late_is_no_proof_and_no_replay() {
    Duration margin = HOUR.dividedBy(10);
    Duration late = margin.plusMillis(1);

    assertThat(remembering(HOUR).conclude(Way.BY_REFERENCE, new Finding.NotFound(), margin))
        .isEqualTo(new Conclusion.NotDone());
    assertThat(remembering(HOUR).conclude(Way.BY_REFERENCE, new Finding.NotFound(), late))
        .isEqualTo(new Conclusion.Open());
    assertThat(remembering(HOUR).inTime(margin)).isTrue();
    assertThat(remembering(HOUR).inTime(late)).isFalse();
    assertThat(remembering(null).inTime(AT_ONCE)).isFalse();
  }

  @Test
  void that_nothing_could_be_learned_decides_nothing() {
    Finding cannotSay = new Finding.CannotSay(new Failure("timeout", "no answer"));

    assertThat(conclusion(NegativeAnswer.FINAL, TerminalState.STABLE, cannotSay))
        .isEqualTo(new Conclusion.Open());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PT10M | PT9M    | EVIDENCE_EXPIRES
          PT1M  | PT50S   | EVIDENCE_EXPIRES
          PT10S | PT5S    | EVIDENCE_EXPIRES
          PT24H | PT21H36M | EVIDENCE_EXPIRES
          P30D  | PT24H   | ASKED_LONG_ENOUGH
                | PT24H   | ASKED_LONG_ENOUGH
          """)
  void the_asking_ends_before_the_evidence_does_with_time_for_a_last_answer(
      @Nullable Duration retention, Duration within, Bound bound) {
    assertThat(remembering(retention).span())
        .isEqualTo(new Span(Duration.ofSeconds(1), within, bound));
  }
}
