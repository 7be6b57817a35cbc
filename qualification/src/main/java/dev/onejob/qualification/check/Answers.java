package dev.onejob.qualification.check;

import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Promise.Breach;
import dev.onejob.qualification.Transcript.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which text of an answer can be held against something. */
final class Answers {
  private Answers() {}

  /** The text of an answer that is whole and no refusal; null if there is none. */
  static @Nullable String whole(Entry entry) {
    Observation came = entry.came();
    Observation.Said said = came.said();
    boolean cut = said != null && FinishReason.isCut(said.finish());
    boolean none = came.text() == null || came.text().isBlank();
    return none || cut || Refusals.in(came).isPresent() ? null : came.text();
  }

  /** Whether an answer is not of the form that rules speak of. */
  static boolean lacksForm(List<Breach> breaches) {
    return breaches.stream()
        .anyMatch(
            breach -> breach.sort() == Breach.Sort.FORM || breach.sort() == Breach.Sort.SCHEMA);
  }

  /** What the provider said that the answer took; null if it said nothing. */
  static @Nullable String usage(Entry entry) {
    return entry.came().said() == null ? null : entry.came().said().usage();
  }

  /** How a call ended, with what the adapter said about it. */
  static String ending(Observation came) {
    String code = came.code() == null ? "" : " (" + came.code() + ")";
    String message = came.message() == null ? "" : ": " + came.message();
    return "the call ended as " + came.ending().word() + code + message;
  }
}
