package dev.onejob.contract;

import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Result;
import dev.onejob.provider.Finish;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A contract, ready to judge. */
public final class Contract implements KindContract {
  private final Terms terms;
  private final byte[] canonical;
  private final String hash;
  private final Checks checks;

  /**
   * Makes one of terms that are right; {@link Contracts} reads and proves them.
   *
   * @throws IllegalArgumentException if the schema or a rule cannot be used
   */
  public Contract(Terms terms) {
    this.terms = terms;
    this.canonical = CanonicalTerms.write(terms);
    this.hash = CanonicalTerms.hash(canonical);
    this.checks = new Checks(terms);
  }

  /** What it says. */
  public Terms terms() {
    return terms;
  }

  @Override
  public String title() {
    return terms.name() + "/" + terms.version();
  }

  @Override
  public Result.Format format() {
    return terms.answering().format();
  }

  /**
   * All that it says in one canonical JSON text, with schema, rules and samples; what is hashed.
   */
  public byte[] canonical() {
    return canonical.clone();
  }

  @Override
  public String hash() {
    return hash;
  }

  @Override
  public ContractVerdict check(byte[] input, Result result, @Nullable String usage) {
    return check(input, new Answer(result, Finish.NORMAL, usage));
  }

  /**
   * Judges an answer.
   *
   * @param input of the job, as the client sent it
   */
  public ContractVerdict check(byte[] input, Answer answer) {
    return verdict(checks.of(input, answer));
  }

  /** Judges an answer to a sample: by the contract, and by what is known of the right answer. */
  public ContractVerdict check(Sample sample, Answer answer) {
    return verdict(checks.of(sample, answer));
  }

  private static ContractVerdict verdict(List<Breach> breaches) {
    return breaches.isEmpty() ? new ContractVerdict.Kept() : new ContractVerdict.Broken(breaches);
  }

  @Override
  public String toString() {
    return title();
  }
}
