package dev.onejob.domain;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a job has cost, added up from its attempts. Amounts are by currency, in the order of its
 * code.
 *
 * @param paid for all attempts
 * @param paidForLost for those that answered after another had won
 * @param savedByRepeats what the winning attempt has cost, once for each repeat of the key that was
 *     answered without running anything
 * @param repeats how many there were, as far as they were counted
 * @param unpricedAttempts attempts of which no price is known, or none yet: the amounts are without
 *     them
 */
public record JobCost(
    List<Money> paid,
    List<Money> paidForLost,
    List<Money> savedByRepeats,
    long repeats,
    int unpricedAttempts) {

  /**
   * Adds it up.
   *
   * @param repeats of the key, 0 or more
   */
  public static JobCost of(List<Attempt> attempts, long repeats) {
    return new JobCost(
        sum(prices(attempts, any -> true)),
        sum(prices(attempts, state -> state == AttemptState.LOST)),
        sum(
            prices(attempts, state -> state == AttemptState.SUCCEEDED)
                .filter(price -> repeats > 0)
                .map(price -> price.times(repeats))),
        repeats,
        attempts.size() - (int) prices(attempts, any -> true).count());
  }

  /**
   * The sums of some amounts, by currency, in the order of its code.
   *
   * @param prices of attempts; empty: not known
   */
  public static Paid paid(List<Optional<Money>> prices) {
    return new Paid(
        sum(prices.stream().flatMap(Optional::stream)),
        (int) prices.stream().filter(Optional::isEmpty).count());
  }

  /**
   * What a job has cost, in short.
   *
   * @param unpricedAttempts attempts of which no price is known, or none yet: the amounts are
   *     without them
   */
  public record Paid(List<Money> paid, int unpricedAttempts) {
    /** Of a job without attempts. */
    public static final Paid NOTHING = new Paid(List.of(), 0);

    /** Copies the list. */
    public Paid {
      paid = List.copyOf(paid);
    }
  }

  private static Stream<Money> prices(List<Attempt> attempts, Predicate<AttemptState> of) {
    return attempts.stream()
        .filter(attempt -> of.test(attempt.standing().state()))
        .map(attempt -> Optional.ofNullable(attempt.cost()).map(Cost::price))
        .flatMap(Optional::stream);
  }

  private static List<Money> sum(Stream<Money> amounts) {
    TreeMap<String, Money> sums = new TreeMap<>();
    amounts.forEach(amount -> sums.merge(amount.currency(), amount, Money::plus));
    Collection<Money> values = sums.values();
    return List.copyOf(values);
  }
}
