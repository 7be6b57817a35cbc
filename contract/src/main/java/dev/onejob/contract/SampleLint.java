package dev.onejob.contract;

import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Holds the good answers of the samples against the contract itself: who wrote it meant both. */
record SampleLint(YamlDocument yaml, Problems problems) {
  void check(Contract contract) {
    List<Sample> samples = contract.terms().samples();
    for (int i = 0; i < samples.size(); i++) {
      JsonNode good = samples.get(i).good();
      if (good != null) {
        check(contract, samples.get(i), good, Pointers.child("/samples", i) + "/good");
      }
    }
  }

  private void check(Contract contract, Sample sample, JsonNode good, String place) {
    boolean text = contract.terms().answering() == Answering.TEXT;
    if (text && !good.isString()) {
      problems.add(yaml.problem(place, "expected text, as the answer is text"));
      return;
    }
    byte[] bytes = (text ? good.stringValue() : good.toString()).getBytes(StandardCharsets.UTF_8);
    Answer answer = Answer.of(new Result(contract.format(), bytes));
    switch (contract.check(sample, answer)) {
      case ContractVerdict.Kept kept -> {}
      case ContractVerdict.Broken broken -> {
        for (Breach breach : broken.breaches()) {
          problems.add(yaml.problem(place + breach.path(), "breaks the contract: " + breach));
        }
      }
    }
  }
}
