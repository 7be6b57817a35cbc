package dev.onejob.server.http.request;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The members with which an ending is told, whoever tells it. */
final class EndingMembers {
  static final String COST = "cost";

  private static final String INPUT_TOKENS = "input_tokens";
  private static final String OUTPUT_TOKENS = "output_tokens";
  private static final String MODEL = "model";

  /** Beside a success. */
  static final Set<String> OF_A_RESULT =
      Set.of("result", "result_format", COST, INPUT_TOKENS, OUTPUT_TOKENS, MODEL);

  /** Beside a refusal, before any work. */
  static final Set<String> OF_A_REFUSAL = Set.of("code", "message", "retryable", "retry_after");

  /** Beside a failure. */
  static final Set<String> OF_A_FAILURE =
      Set.of(
          "code", "message", "retryable", "retry_after", COST, INPUT_TOKENS, OUTPUT_TOKENS, MODEL);

  private static final Pattern CODE = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

  private static final int NANO_DIGITS = 9;

  /** More would be years of the largest model. */
  private static final BigDecimal TOKENS_MAX = BigDecimal.valueOf(1_000_000_000_000L);

  private EndingMembers() {}

  /** All of them, and others. */
  static Set<String> with(String... others) {
    Set<String> all = new TreeSet<>(Set.of(others));
    all.addAll(OF_A_RESULT);
    all.addAll(OF_A_FAILURE);
    return all;
  }

  /** Refuses those that do not go with an outcome. */
  static void only(Members members, Set<String> allowed, String outcome) {
    for (String name : with()) {
      if (!allowed.contains(name) && members.has(name)) {
        throw Problem.field("/" + name, "The outcome " + outcome + " does not have this.");
      }
    }
  }

  static Failure failure(Members members, String otherwise, String unsaid) {
    String code = members.text("code");
    if (code != null && !CODE.matcher(code).matches()) {
      throw Problem.field(
          "/code", "A code has 1 to 64 lower-case letters, digits and hyphens, such as no-input.");
    }
    String message = members.text("message");
    return new Failure(code == null ? otherwise : code, message == null ? unsaid : message);
  }

  static Retryability retryability(Members members) {
    return members.truth("retryable") ? Retryability.RETRYABLE : Retryability.FINAL;
  }

  static @Nullable Duration retryAfter(Members members) {
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

  /** What was used, as far as it is said. */
  static Usage usage(Members members) {
    return new Usage(
        tokens(members, INPUT_TOKENS), tokens(members, OUTPUT_TOKENS), members.text(MODEL));
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

  static Result result(Members members) {
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
