package dev.onejob.qualification.check;

import dev.onejob.intent.CanonicalJson;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Evidence;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Promise.Breach;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Q17: how often an answer keeps the whole contract; and, told only, how often it is the same. */
final class Repeatability implements Check {
  @Override
  public String id() {
    return "Q17";
  }

  @Override
  public String title() {
    return "the contract is kept every time";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.SAMPLE, Series.COLD).forEach(entry -> look(transcript, entry, tally));
    Judgement proved = tally.proved(transcript.promise());
    List<Evidence> evidence = new ArrayList<>(tally.shortfalls(transcript.promise()));
    evidence.addAll(proved.evidence());
    return new Judgement(
        proved.check(),
        proved.title(),
        proved.bearing(),
        proved.verdict(),
        proved.rate(),
        proved.lowerBound(),
        evidence,
        note(transcript));
  }

  private static void look(Transcript transcript, Entry entry, Tally tally) {
    if (entry.ask().series() == Series.COLD && entry.came().ending() == Ending.REFUSED) {
      tally.note(entry.ask(), "the temperature cannot be set; " + Answers.ending(entry.came()));
      return; // what production asks for is asked under another name
    }
    String result = entry.came().result(); // what production would have held against the contract
    if (result == null || Answers.whole(entry) == null) {
      tally.wrong(
          entry.ask(),
          entry.came().ending() == Ending.SUCCEEDED
              ? "no whole answer came"
              : Answers.ending(entry.came()));
      return;
    }
    List<Breach> breaches =
        transcript.promise().breaches(transcript.sample(entry.ask()), result, Answers.usage(entry));
    if (breaches.isEmpty()) {
      tally.right(entry.ask());
    } else {
      Breach first = breaches.getFirst();
      tally.wrong(entry.ask(), first.at() + ": " + first.says());
    }
  }

  private static String note(Transcript transcript) {
    String same =
        transcript
            .of(Series.SAMPLE, Series.COLD)
            .collect(
                Collectors.groupingBy(
                    entry -> entry.ask().series().word() + "/" + entry.ask().about(),
                    LinkedHashMap::new,
                    Collectors.mapping(Repeatability::canonical, Collectors.toSet())))
            .entrySet()
            .stream()
            .map(each -> each.getKey() + ": " + each.getValue().size())
            .collect(Collectors.joining(", "));
    return "different answers to the same question, told only: " + same;
  }

  private static String canonical(Entry entry) {
    String text = entry.came().text();
    if (text == null) {
      return "";
    }
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new String(
          CanonicalJson.write(StrictJson.read(bytes, JsonLimits.RESULT)), StandardCharsets.UTF_8);
    } catch (JsonRefused e) {
      return text; // no JSON: the text itself is compared
    }
  }
}
