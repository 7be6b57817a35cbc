package dev.onejob.engine;

import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Failure;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Result;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.ResultReading;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one gate in front of the slot: whoever brings a result, it is read here, and here it is held
 * against the contract of its kind. What cannot be read or breaks the contract never reaches the
 * swap.
 */
final class ResultGate {
  private ResultGate() {}

  /** What a result is worth. */
  sealed interface Judged {
    /** It is as it will be stored, shown and compared. */
    record Fit(Result result) implements Judged {}

    /** It cannot be read, or not be kept. */
    record Unfit(Failure failure) implements Judged {}

    /**
     * It breaks the contract.
     *
     * @param read as one that keeps it would have been read, so that the same answer that comes in
     *     another way is known again; as it came, where it cannot be read
     */
    record Broken(KindContract contract, ContractVerdict.Broken verdict, Result raw, Result read)
        implements Judged {
      Failure failure() {
        return new Failure(Failure.CONTRACT_BREACH, message());
      }

      private String message() {
        int others = verdict.breaches().size() - 1;
        return "the answer breaks the contract "
            + contract.title()
            + ": "
            + verdict.breaches().getFirst()
            + (others == 0 ? "" : ", and " + others + " more");
      }
    }
  }

  /**
   * Judges a result as it came.
   *
   * @param contract of the kind; null: none
   * @param input of the job, only asked for if there is a contract. Empty once retention has
   *     emptied it: then no attempt of the job is live and none ever will be, so that nothing that
   *     is let through here can claim the slot
   * @param usage in the provider's own words
   */
  static Judged judge(
      @Nullable KindContract contract,
      Supplier<Optional<byte[]>> input,
      Result raw,
      @Nullable String usage) {
    try {
      bounded(raw);
      if (contract == null) {
        return new Judged.Fit(read(raw));
      }
      Optional<byte[]> asked = input.get();
      if (asked.isPresent()
          && contract.check(asked.get(), raw, usage) instanceof ContractVerdict.Broken broken) {
        return new Judged.Broken(contract, broken, raw, readIfPossible(contract.format(), raw));
      }
      return new Judged.Fit(read(new Result(contract.format(), raw.bytes())));
    } catch (JsonRefused e) {
      return new Judged.Unfit(new Failure(Failure.RESULT_INVALID, String.valueOf(e.getMessage())));
    } catch (TooLarge e) {
      return new Judged.Unfit(
          new Failure(Failure.RESULT_TOO_LARGE, String.valueOf(e.getMessage())));
    }
  }

  private static final class TooLarge extends Exception {
    private static final long serialVersionUID = 1L;

    TooLarge(int bytes) {
      super(
          "the result has %d bytes, at most %d are kept".formatted(bytes, Limits.RESULT_BYTES_MAX));
    }
  }

  private static Result readIfPossible(Result.Format format, Result raw) {
    try {
      return read(new Result(format, raw.bytes()));
    } catch (JsonRefused | TooLarge e) { // the verdict says what is wrong with it
      return raw;
    }
  }

  private static Result read(Result raw) throws JsonRefused, TooLarge {
    return switch (raw.format()) {
      // Written anew it may have grown, by escapes.
      case JSON -> bounded(new Result(Result.Format.JSON, ResultReading.read(raw.bytes())));
      case TEXT -> new Result(Result.Format.TEXT, ResultReading.readText(raw.bytes()));
    };
  }

  private static Result bounded(Result result) throws TooLarge {
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      throw new TooLarge(result.bytes().length);
    }
    return result;
  }
}
