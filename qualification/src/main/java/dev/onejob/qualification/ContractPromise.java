package dev.onejob.qualification;

import dev.onejob.contract.Answer;
import dev.onejob.contract.Contract;
import dev.onejob.contract.Rule;
import dev.onejob.contract.Terms;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Result;
import dev.onejob.provider.Finish;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A kind's contract as a qualification sees it. */
public final class ContractPromise implements Promise {
  private static final Set<String> RULES = Set.of("rule", "expected-value");

  /** How a rule in CEL asks for the language of a text. */
  private static final String LANGUAGE = "language(";

  private final Contract contract;
  private final List<Promise.Sample> samples;
  private final Set<String> languageRules;

  private ContractPromise(Contract contract) {
    this.contract = contract;
    this.samples =
        contract.terms().samples().stream()
            .map(sample -> new Promise.Sample(sample.name(), sample.input()))
            .toList();
    this.languageRules =
        rules(contract.terms())
            .filter(rule -> rule.expression().contains(LANGUAGE))
            .map(Rule::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<Rule> rules(Terms terms) {
    return Stream.concat(
        terms.rules().stream(), terms.samples().stream().flatMap(s -> s.rules().stream()));
  }

  /** Empty if the contract has no sample: then nothing can be asked. */
  public static Optional<Promise> of(Contract contract) {
    return contract.terms().samples().isEmpty()
        ? Optional.empty()
        : Optional.of(new ContractPromise(contract));
  }

  @Override
  public String hash() {
    return contract.hash();
  }

  @Override
  public Optional<JsonNode> schema() {
    return contract.format() == Result.Format.JSON
        ? Optional.ofNullable(contract.terms().schema())
        : Optional.empty();
  }

  @Override
  public List<Promise.Sample> samples() {
    return samples;
  }

  @Override
  public @Nullable Double temperature() {
    return contract.terms().temperature() == null
        ? null
        : contract.terms().temperature().doubleValue();
  }

  @Override
  public int repetitions() {
    return contract.terms().repetitions();
  }

  @Override
  public double passRate() {
    return contract.terms().pass().rate().doubleValue();
  }

  @Override
  public double confidence() {
    return contract.terms().pass().confidence().doubleValue();
  }

  @Override
  public Trust inputTrust() {
    return switch (contract.terms().inputTrust()) {
      case TRUSTED -> Trust.TRUSTED;
      case UNTRUSTED -> Trust.UNTRUSTED;
    };
  }

  @Override
  public List<String> keyFields() {
    return contract.terms().keyFields();
  }

  @Override
  public Speaking speaking() {
    return languageRules.isEmpty() ? Speaking.ANY_LANGUAGE : Speaking.ONE_LANGUAGE;
  }

  @Override
  public List<Promise.Breach> breaches(
      Promise.Sample sample, String result, @Nullable String usage) {
    Result read = new Result(contract.format(), result.getBytes(StandardCharsets.UTF_8));
    Answer answer = new Answer(read, Finish.NORMAL, usage);
    return switch (contract.check(whole(sample), answer)) {
      case ContractVerdict.Kept kept -> List.of();
      case ContractVerdict.Broken broken -> broken.breaches().stream().map(this::breach).toList();
    };
  }

  private dev.onejob.contract.Sample whole(Promise.Sample sample) {
    return contract.terms().samples().stream()
        .filter(each -> each.name().equals(sample.name()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no sample is named " + sample.name()));
  }

  private Promise.Breach breach(dev.onejob.domain.Breach breach) {
    return new Promise.Breach(sort(breach), breach.path(), breach.message());
  }

  private Promise.Breach.Sort sort(dev.onejob.domain.Breach breach) {
    if (languageRules.contains(breach.rule())) {
      return Promise.Breach.Sort.LANGUAGE;
    }
    if (RULES.contains(breach.check())) {
      return Promise.Breach.Sort.RULE;
    }
    return breach.check().equals("schema") ? Promise.Breach.Sort.SCHEMA : Promise.Breach.Sort.FORM;
  }
}
