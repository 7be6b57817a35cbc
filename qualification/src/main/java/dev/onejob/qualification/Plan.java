package dev.onejob.qualification;

import dev.onejob.domain.Money;
import dev.onejob.domain.Prices;
import dev.onejob.domain.Usage;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Candidate.Ability;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is asked in a run, in order. The same run has the same plan wherever it is made, so that a
 * run that was stopped asks nothing twice.
 */
public final class Plan {
  /** Fewer repetitions would let a provider through that is right four times of five. */
  public static final int REPETITIONS_MIN = 5;

  /** At most this counts as cold. */
  public static final double COLD_MAX = 0.2;

  /** So few tokens hold no line of many words. */
  private static final int CUT_TOKENS = 8;

  private static final int BENIGN_REPETITIONS = 2;

  private final Promise promise;
  private final Candidate candidate;
  private final Questions questions;
  private final List<Ask> asks = new ArrayList<>();

  private Plan(Promise promise, Candidate candidate, String seed) {
    this.promise = promise;
    this.candidate = candidate;
    this.questions = new Questions(new Words(seed));
  }

  /**
   * Everything that a provider is asked.
   *
   * @param seed of the run; the words that nobody can guess come from it
   */
  public static List<Ask> of(Promise promise, Candidate candidate, String seed) {
    Plan plan = new Plan(promise, candidate, seed);
    plan.samples();
    if (candidate.can(Ability.TWISTED)) {
      plan.turns();
      plan.contents();
      plan.parameters();
      plan.renderings();
    }
    plan.failures();
    return List.copyOf(plan.asks);
  }

  private int repetitions() {
    return Math.max(promise.repetitions(), REPETITIONS_MIN);
  }

  private Promise.Sample first() {
    return promise.samples().getFirst();
  }

  private Promise.Sample largest() {
    return promise.samples().stream()
        .max(Comparator.comparingInt(sample -> sample.input().length))
        .orElseThrow();
  }

  private void samples() {
    Double temperature = promise.temperature();
    boolean twisted = candidate.can(Ability.TWISTED);
    for (Promise.Sample sample : promise.samples()) {
      add(
          Series.SAMPLE,
          sample,
          temperature == null || !twisted || isSet(temperature)
              ? Twist.none()
              : heated(temperature));
    }
    if (twisted && (temperature == null || temperature > COLD_MAX)) {
      promise.samples().forEach(sample -> add(Series.COLD, sample, heated(0)));
    }
  }

  /** Whether production asks at this temperature by itself. */
  private boolean isSet(double temperature) {
    JsonNode set = candidate.parameters().get("temperature");
    return set != null && set.isNumber() && set.asDouble() == temperature;
  }

  private static Twist heated(double temperature) {
    return Twist.none()
        .parameter(
            "temperature",
            DecimalNode.valueOf(BigDecimal.valueOf(temperature).stripTrailingZeros()));
  }

  private void add(Series series, Promise.Sample sample, Twist twist) {
    for (int i = 1; i <= repetitions(); i++) {
      asks.add(new Ask(series, sample.name(), i, sample.input(), twist, null));
    }
  }

  /** Rules in the system turn, and what the input says against them. */
  private void turns() {
    if (!candidate.can(Ability.SYSTEM_TURN)) {
      return;
    }
    for (int i = 1; i <= repetitions(); i++) {
      asks.add(questions.systemCanary(first(), i));
    }
    for (int i = 1; i <= repetitions(); i++) {
      asks.add(questions.precedence(first(), i));
    }
  }

  private void contents() {
    for (int i = 1; i <= repetitions(); i++) {
      asks.add(questions.echo("strings", Questions.STRINGS, first(), i));
      asks.add(questions.echo("markers", Questions.MARKERS, first(), i));
      asks.add(questions.context(largest(), i));
    }
    for (int i = 1; i <= BENIGN_REPETITIONS; i++) {
      asks.add(questions.benign(first(), i));
    }
  }

  private void parameters() {
    String name =
        candidate.parameters().containsKey("max_completion_tokens")
            ? "max_completion_tokens"
            : "max_tokens";
    asks.add(questions.cut(first(), name, CUT_TOKENS));
    if (candidate.parameters().containsKey("stop")) {
      asks.add(questions.stop(first(), 1));
    }
  }

  private void renderings() {
    Promise.Sample sample = first();
    asks.add(
        new Ask(Series.RENDERING, sample.name(), 1, sample.input(), Twist.none().rendered(), null));
    Ask context = questions.context(largest(), 1);
    asks.add(
        new Ask(
            Series.RENDERED_CONTEXT,
            context.about(),
            1,
            context.input(),
            context.twist().rendered(),
            null));
  }

  private void failures() {
    if (candidate.can(Ability.PLAYED_TO)) {
      for (Failures.Played each : Failures.ALL) {
        asks.add(failure(Series.FAILURE, each.play(), "play", each.ending()));
      }
    }
    if (candidate.can(Ability.KEY)) {
      asks.add(failure(Series.WRONG_KEY, "key", "key", Observation.Ending.REFUSED));
    }
  }

  private Ask failure(Series series, String about, String member, Observation.Ending ending) {
    ObjectNode expected = JsonNodeFactory.instance.objectNode().put("ending", ending.word());
    String value = series == Series.WRONG_KEY ? "onejob-has-no-such-key" : about;
    Twist twist = Twist.none().with(member, value);
    return new Ask(series, about, 1, first().input(), twist, expected);
  }

  /**
   * What a run is going to take, before it is made: tokens by a quarter of the bytes, which is
   * rough. Where no model is asked there are none.
   *
   * @param asks questions that are sent to the provider
   * @param promptTokens of all of them together
   * @param completionTokens at most, as far as the settings bound them
   */
  public record Estimate(
      int asks, long promptTokens, long completionTokens, @Nullable Money price) {
    private static final int BYTES_PER_TOKEN = 4;

    /** Where the settings bound nothing. */
    private static final int COMPLETION_TOKENS = 512;

    /**
     * Of a plan.
     *
     * @param prices of the candidate; null: nobody has written them down
     */
    public static Estimate of(List<Ask> asks, Candidate candidate, @Nullable Prices prices) {
      List<Ask> sent = asks.stream().filter(Estimate::isSent).toList();
      boolean isModel = candidate.model() != null;
      long prompt =
          isModel ? sent.stream().mapToLong(ask -> bytes(ask) / BYTES_PER_TOKEN + 1).sum() : 0;
      long completion = isModel ? sent.size() * bound(candidate) : 0;
      Usage usage = new Usage(prompt, completion, candidate.model());
      return new Estimate(
          sent.size(),
          prompt,
          completion,
          prices == null ? null : prices.of(usage, sent.size()).orElse(null));
    }

    /** Whether it goes to the provider and takes tokens. */
    public static boolean isSent(Ask ask) {
      return switch (ask.series()) {
        case FAILURE, RENDERING, RENDERED_CONTEXT -> false;
        case SAMPLE, COLD, SYSTEM, PRECEDENCE, CUT, BENIGN, ECHO, CONTEXT, STOP, WRONG_KEY -> true;
      };
    }

    private static long bytes(Ask ask) {
      return ask.input().length
          + (long) Json.text(ask.twist().document()).getBytes(StandardCharsets.UTF_8).length;
    }

    private static long bound(Candidate candidate) {
      for (String name : List.of("max_tokens", "max_completion_tokens")) {
        if (candidate.parameters().containsKey(name)) {
          return candidate.parameters().get(name).asLong(COMPLETION_TOKENS);
        }
      }
      return COMPLETION_TOKENS;
    }
  }
}
