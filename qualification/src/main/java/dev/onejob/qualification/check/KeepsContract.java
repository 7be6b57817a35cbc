package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Promise;
import dev.onejob.qualification.Promise.Breach;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.List;
import java.util.stream.Collectors;

/** Q3 and Q19: an answer breaks no part of the contract of one sort. */
record KeepsContract(String id, String title, Breach.Sort sort) implements Check {
  static KeepsContract schema() {
    return new KeepsContract("Q3", "the answer is valid by the schema", Breach.Sort.SCHEMA);
  }

  static KeepsContract rules() {
    return new KeepsContract(
        "Q19", "rules and expectations over input and output hold", Breach.Sort.RULE);
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (sort == Breach.Sort.SCHEMA && transcript.promise().schema().isEmpty()) {
      return Tally.notApplicable(this, Bearing.GATE, "the contract asks for no JSON");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.SAMPLE, Series.COLD).forEach(entry -> look(transcript, entry, tally));
    return tally.rated(transcript.promise());
  }

  private void look(Transcript transcript, Entry entry, Tally tally) {
    String text = Answers.whole(entry);
    boolean json = transcript.promise().schema().isPresent();
    if (text == null || (json && Json.read(text).isMissingNode())) {
      return; // nothing to hold against the schema: other checks say why
    }
    List<Breach> breaches = breaches(transcript, entry, text);
    if (sort == Breach.Sort.RULE && Answers.lacksForm(breaches)) {
      return; // rules are about answers that have the form that they speak of
    }
    String says =
        breaches.stream()
            .filter(breach -> breach.sort() == sort)
            .map(breach -> (breach.at().isEmpty() ? "" : breach.at() + ": ") + breach.says())
            .collect(Collectors.joining("; "));
    if (says.isEmpty()) {
      tally.right(entry.ask());
    } else {
      tally.wrong(entry.ask(), says);
    }
  }

  private static List<Breach> breaches(Transcript transcript, Entry entry, String text) {
    Promise.Sample sample = transcript.sample(entry.ask());
    return transcript.promise().breaches(sample, text, Answers.usage(entry));
  }
}
