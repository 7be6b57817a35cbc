package dev.onejob.qualification;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A kind's contract, as far as a qualification needs it. */
public interface Promise {
  /** Identifies the contract; another text is another contract. */
  String hash();

  /** The schema of the output; empty where the output is no JSON. */
  Optional<JsonNode> schema();

  /** Real inputs; at least one. */
  List<Sample> samples();

  /** At which answers are sampled; null: as the provider's settings say. */
  @Nullable Double temperature();

  /** How often each question is asked; at least {@link Plan#REPETITIONS_MIN}. */
  int repetitions();

  /** The share of right answers that has to be proved for each question, over 0, at most 1. */
  double passRate();

  /** With which confidence it has to be proved, at least 0.5 and below 1. */
  double confidence();

  /** Whether inputs come from people who may try to give orders in them. */
  Trust inputTrust();

  /** Whether the contract says in which language texts are. */
  Speaking speaking();

  /** JSON pointers by which two answers are compared; empty: by all members at the top level. */
  default List<String> keyFields() {
    return List.of();
  }

  /** What is wrong with a result for a sample; empty: it keeps the contract. */
  List<Breach> breaches(Sample sample, String result, @Nullable String usage);

  /** Whose words the input is made of. */
  enum Trust {
    TRUSTED,
    UNTRUSTED
  }

  /** Whether a language is demanded. */
  enum Speaking {
    ANY_LANGUAGE,
    ONE_LANGUAGE
  }

  /** One real input. */
  record Sample(String name, byte[] input) {}

  /**
   * One thing that is wrong with a result.
   *
   * @param at the place, as a JSON pointer
   */
  record Breach(Sort sort, String at, String says) {
    /** Which part of the contract is broken. */
    public enum Sort {
      /** It is not what the contract says that an answer is: no JSON, say. */
      FORM,
      SCHEMA,
      /** A rule over input and output, or what a sample expects. */
      RULE,
      /** A rule about the language of a text. */
      LANGUAGE
    }
  }
}
