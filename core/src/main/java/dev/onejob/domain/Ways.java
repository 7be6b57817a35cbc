package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known, at the moment of a decision, of the providers of a job's route.
 *
 * @param providers a provider that is not among them is one of which nothing is known: it has
 *     proved nothing, and its circuit is closed
 * @param judged whether they were judged by the contract of the job. False on a node that does not
 *     have the contract: it starts nothing of the job, and does not decide that nobody may do it
 */
public record Ways(Map<String, Way> providers, WhenPressed whenPressed, boolean judged) {
  /** Of a job that has a contract which is not known here. */
  public static final Ways NOT_JUDGED = new Ways(Map.of(), WhenPressed.REFUSE, false);

  /** Of a kind without a contract, while every provider answers. */
  public static final Ways WITHOUT_CONTRACT = new Ways(Map.of(), WhenPressed.ALLOW);

  public Ways {
    providers = Map.copyOf(providers);
  }

  /** As judged by the contract of the job, or where there is none. */
  public Ways(Map<String, Way> providers, WhenPressed whenPressed) {
    this(providers, whenPressed, true);
  }

  /**
   * One provider.
   *
   * @param unproved why it may not be used by itself as a fallback; null: it holds a valid
   *     qualification
   * @param circuit null: closed
   */
  public record Way(@Nullable Objection unproved, @Nullable OpenCircuit circuit) {}

  /**
   * A circuit that is open.
   *
   * @param until nobody asks before that
   * @param passable whether one attempt may try it now
   */
  public record OpenCircuit(Instant until, boolean passable, String says) {}

  Way of(String provider) {
    Way known = providers.get(provider);
    return known == null ? new Way(withoutContract(provider), null) : known;
  }

  /**
   * L5: no proof, no failover. What a provider should have proved, and has not, before an attempt
   * starts there beside or after another; null: nothing. The first of the route needs no proof, and
   * where there is no contract there is nothing to prove.
   */
  public @Nullable Objection unproved(List<String> route, String provider) {
    Objection unproved = provider.equals(route.getFirst()) ? null : of(provider).unproved();
    return unproved == null || unproved.reason() == Objection.Reason.NO_CONTRACT ? null : unproved;
  }

  /** What speaks against any provider of a kind without a contract but the first. */
  public static Objection withoutContract(String provider) {
    return new Objection(
        provider,
        Objection.Reason.NO_CONTRACT,
        "the kind has no contract, so that " + provider + " can have proved nothing");
  }
}
