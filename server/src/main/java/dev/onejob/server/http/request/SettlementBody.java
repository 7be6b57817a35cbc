package dev.onejob.server.http.request;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The last word of a worker. */
public record SettlementBody(UUID leaseToken, Outcome outcome) {
  private static final Set<String> WITH_RESULT =
      Set.of(
          LeaseBody.TOKEN,
          "outcome",
          "result",
          "result_format",
          "cost",
          "input_tokens",
          "output_tokens",
          "model");
  private static final Set<String> WITH_REASON =
      Set.of(LeaseBody.TOKEN, "outcome", "code", "message");
  private static final Set<String> WITH_RETRY_AND_COST =
      Set.of(
          LeaseBody.TOKEN,
          "outcome",
          "code",
          "message",
          "retryable",
          "retry_after",
          "cost",
          "input_tokens",
          "output_tokens",
          "model");
  private static final Set<String> WITH_RETRY =
      Set.of(LeaseBody.TOKEN, "outcome", "code", "message", "retryable", "retry_after");
  private static final Set<String> ALL =
      Set.of(
          LeaseBody.TOKEN,
          "outcome",
          "result",
          "result_format",
          "code",
          "message",
          "retryable",
          "retry_after",
          "cost",
          "input_tokens",
          "output_tokens",
          "model");
  private static final Pattern CODE = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  private static final int NANO_DIGITS = 9;

  /** More would be years of the largest model. */
  private static final BigDecimal TOKENS_MAX = BigDecimal.valueOf(1_000_000_000_000L);

  private enum Word {
    SUCCEEDED,
    FAILED,
    REFUSED,
    IN_DOUBT,
    CANCELLED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Set<String> members() {
      return switch (this) {
        case SUCCEEDED -> WITH_RESULT;
        case FAILED -> WITH_RETRY_AND_COST;
        case REFUSED -> WITH_RETRY;
        case IN_DOUBT, CANCELLED -> WITH_REASON;
      };
    }
  }

  /** Reads it. */
  public static SettlementBody read(byte[] body) {
    Members members = Members.read(body, ALL);
    Word word = Members.required("outcome", members.word("outcome", Word.values(), Word::word));
    for (String name : ALL) {
      if (!word.members().contains(name) && members.has(name)) {
        throw Problem.field("/" + name, "The outcome " + word.word() + " does not have this.");
      }
    }
    return new SettlementBody(LeaseBody.token(members), outcome(members, word));
  }

  private static Outcome outcome(Members members, Word word) {
    return switch (word) {
      case SUCCEEDED ->
          new Outcome.Succeeded(result(members), members.text("cost"), usage(members));
      case FAILED ->
          new Outcome.Failed(
              failure(members, "worker-failed"),
              retryability(members),
              retryAfter(members),
              members.text("cost"),
              usage(members));
      case REFUSED ->
          new Outcome.Refused(
              failure(members, "worker-refused"), retryability(members), retryAfter(members));
      case IN_DOUBT -> new Outcome.InDoubt(failure(members, "worker-in-doubt"));
      case CANCELLED -> new Outcome.Stopped(failure(members, "worker-stopped").message());
    };
  }

  private static Usage usage(Members members) {
    return new Usage(
        tokens(members, "input_tokens"), tokens(members, "output_tokens"), members.text("model"));
  }

  private static @Nullable Long tokens(Members members, String name) {
    BigDecimal tokens = members.number(name);
    if (tokens == null) {
      return null;
    }
    boolean fits = tokens.signum() >= 0 && tokens.compareTo(TOKENS_MAX) <= 0;
    if (!fits || tokens.stripTrailingZeros().scale() > 0) {
      throw Problem.field("/" + name, "This is a whole number from 0 to " + TOKENS_MAX + ".");
    }
    return tokens.longValue();
  }

  private static Failure failure(Members members, String otherwise) {
    String code = members.text("code");
    if (code != null && !CODE.matcher(code).matches()) {
      throw Problem.field(
          "/code", "A code has 1 to 64 lower-case letters, digits and hyphens, such as no-input.");
    }
    String message = members.text("message");
    return new Failure(
        code == null ? otherwise : code, message == null ? "the worker says no more" : message);
  }

  private static Retryability retryability(Members members) {
    return members.truth("retryable") ? Retryability.RETRYABLE : Retryability.FINAL;
  }

  private static @Nullable Duration retryAfter(Members members) {
    BigDecimal seconds = members.number("retry_after");
    if (seconds == null) {
      return null;
    }
    if (seconds.signum() < 0) {
      throw Problem.field("/retry_after", "This is a number of seconds from 0.");
    }
    BigDecimal most = BigDecimal.valueOf(Limits.RETRY_AFTER_MAX.toSeconds());
    // Not by a scale of its own: the exponent may be beyond all bounds.
    return Duration.ofNanos(seconds.min(most).movePointRight(NANO_DIGITS).longValue());
  }

  private static Result result(Members members) {
    byte[] given = Members.required("result", members.bytes("result"));
    Result.Format format =
        members.word("result_format", Result.Format.values(), Result.Format::word);
    Result result =
        format == Result.Format.TEXT
            ? new Result(
                Result.Format.TEXT,
                Members.required("result", members.text("result")).getBytes(StandardCharsets.UTF_8))
            : new Result(Result.Format.JSON, given);
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      throw Problem.of(
              ProblemType.RESULT_TOO_LARGE,
              "A result has at most " + Limits.RESULT_BYTES_MAX + " bytes.")
          .with("pointer", "/result")
          .asException();
    }
    return result;
  }
}
