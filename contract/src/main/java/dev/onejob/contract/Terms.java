package dev.onejob.contract;

import dev.onejob.domain.WhenUnqualified;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Everything that a contract says, as it was read.
 *
 * @param name 1 to 64 letters, digits and {@code . _ -}
 * @param version from 1; for people: what binds is the hash
 * @param schema JSON Schema 2020-12 of the output; null: only for text
 * @param mediaTypes allowed for {@link Answering#MEDIA}; empty otherwise
 * @param answerBytesMax largest answer, in bytes
 * @param keyFields JSON pointers of the members by which two answers are compared
 * @param inputTrust whether the input may hold text of strangers that gives orders
 * @param temperature at which a provider is qualified; null: the provider's own
 * @param repetitions of each sample in a qualification, at least 5
 * @param whenUnqualified what a job does when no fallback is proved; null: as the kind says
 */
public record Terms(
    String name,
    int version,
    Answering answering,
    @Nullable JsonNode schema,
    List<String> mediaTypes,
    int answerBytesMax,
    Refusals refusals,
    List<Rule> rules,
    List<Sample> samples,
    List<String> keyFields,
    InputTrust inputTrust,
    @Nullable BigDecimal temperature,
    int repetitions,
    PassThreshold pass,
    @Nullable WhenUnqualified whenUnqualified) {
  /** Whether the input may hold text of strangers that gives orders. */
  public enum InputTrust {
    /** Nothing in it speaks to the model. */
    TRUSTED,
    /** It may; the contract's own instructions must win. */
    UNTRUSTED
  }

  /** Copies the lists. */
  public Terms {
    mediaTypes = List.copyOf(mediaTypes);
    rules = List.copyOf(rules);
    samples = List.copyOf(samples);
    keyFields = List.copyOf(keyFields);
  }
}
