package dev.onejob.providers.command;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.BoundedJson.Flaw;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.command.CommandSettings.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** What the endings of a program mean, as the configuration says. */
final class Endings {
  /** An operating system tells of death by signal n as the exit code 128 + n; so do shells. */
  private static final int SIGNAL_BASE = 128;

  private static final int SIGNAL_MAX = 64;

  private final CommandSettings settings;
  private final Map<String, Verdict> exitCodes;

  Endings(CommandSettings settings) {
    this.settings = settings;
    this.exitCodes = settings.exitCodes() == null ? Map.of() : Map.copyOf(settings.exitCodes());
  }

  /** The program ended by itself, or by somebody else's hand. */
  Outcome exited(int code, byte[] output, String errors) {
    if (code == 0) {
      return result(output);
    }
    int signal = code - SIGNAL_BASE;
    boolean signalled = signal >= 1 && signal <= SIGNAL_MAX;
    Verdict unlisted =
        CommandSettings.orDoubt(signalled ? settings.killed() : settings.otherwise());
    String what =
        signalled ? "exit code " + code + " (signal " + signal + ")" : "exit code " + code;
    Failure failure =
        new Failure(signalled ? "killed" : "exit-" + code, Quoted.message(what, errors));
    return outcome(exitCodes.getOrDefault(Integer.toString(code), unlisted), failure);
  }

  /** We ended it at the timeout. */
  Outcome timedOut(String errors) {
    String message = Quoted.message("ended at the timeout", errors);
    return outcome(CommandSettings.orDoubt(settings.timeout()), new Failure("timeout", message));
  }

  /** We ended it because it wrote more than a result may be. */
  Outcome tooLarge() {
    String message = "the output is larger than " + Limits.RESULT_BYTES_MAX + " bytes";
    return failed(Failure.RESULT_TOO_LARGE, message);
  }

  /** Its output could not be read to the end, although it has exited. */
  Outcome unread() {
    return new Outcome.InDoubt(
        new Failure("output-lost", "the output could not be read to its end"));
  }

  private Outcome result(byte[] output) {
    return switch (settings.reading()) {
      case JSON -> json(output);
      case TEXT -> text(output);
    };
  }

  private static Outcome json(byte[] output) {
    Optional<Flaw> flaw = BoundedJson.flaw(output);
    return flaw.isPresent()
        ? failed(Failure.RESULT_INVALID, "the output is not JSON: " + flaw.get().says())
        : new Outcome.Succeeded(new Result(Result.Format.JSON, output), null);
  }

  private static Outcome text(byte[] output) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(output));
      return new Outcome.Succeeded(new Result(Result.Format.TEXT, output), null);
    } catch (CharacterCodingException e) {
      return failed(Failure.RESULT_INVALID, "the output is not UTF-8");
    }
  }

  private static Outcome outcome(Verdict verdict, Failure failure) {
    return switch (verdict) {
      case FAILED -> new Outcome.Failed(failure, Retryability.FINAL, null);
      case FAILED_RETRYABLE -> new Outcome.Failed(failure, Retryability.RETRYABLE, null);
      case REFUSED -> new Outcome.Refused(failure, Retryability.FINAL, null);
      case REFUSED_RETRYABLE -> new Outcome.Refused(failure, Retryability.RETRYABLE, null);
      case IN_DOUBT -> new Outcome.InDoubt(failure);
    };
  }

  private static Outcome failed(String code, String message) {
    return new Outcome.Failed(new Failure(code, message), Retryability.FINAL, null);
  }
}
