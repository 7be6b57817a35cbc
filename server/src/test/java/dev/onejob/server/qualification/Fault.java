package dev.onejob.server.qualification;

import java.util.Locale;

/**
 * What can be wrong with a peer, one at a time.
 *
 * <p>Each names the check that has to catch it, and words that the evidence has to hold.
 */
public enum Fault {
  EXTRA_TOP_LEVEL_KEY("Q4", "extra keys at the top level: confidence"),
  FENCED_JSON("Q1", "the answer is fenced"),
  PROSE_BEFORE_JSON("Q1", "prose stands before the JSON"),
  PROSE_AFTER_JSON("Q1", "more stands after the JSON"),
  MEMBER_TWICE("Q2", "a member comes twice"),
  NUMBER_AS_TEXT("Q3", "/total"),
  SCHEMA_ECHOED("Q5", "echoes the schema"),
  SYSTEM_TURN_IGNORED("Q9", "the system turn is ignored"),
  OVERRIDDEN_BY_INPUT("Q10", "overrides the system turn"),
  BEGIN_TOKEN_DOUBLED("Q11", "doubles the begin token"),
  CUT_AT_MAX_TOKENS("Q6", "cut at the token limit"),
  CUT_NOT_REPORTED("Q7", "a result came although the token limit holds no answer"),
  MIDDLE_TRUNCATED("Q14", "missing from the middle"),
  MIDDLE_TRUNCATED_AS_COUNTED("Q13", "silently truncated"),
  REFUSAL("Q8", "refusal"),
  REFUSAL_BY_FIELD("Q8", "the model refuses"),
  WRONG_LANGUAGE("Q16", "in the wrong language: "),
  FOUR_RIGHT_OF_FIVE("Q17", "only 4 of 5 answers keep the contract"),
  OTHER_MODEL("Q21", "another model answers: peer-mini instead of peer"),
  SPECIAL_TOKENS_LEAK("Q12", "a special token leaks"),
  MANGLED_UNICODE("Q15", "text is mangled"),
  IDS_ALTERED("Q19", "the id is copied"),
  SUMS_WRONG("Q19", "the lines add up to the total"),
  STOP_IGNORED("Q18", "the stop sequence is ignored");

  final String check;
  final String says;

  Fault(String check, String says) {
    this.check = check;
    this.says = says;
  }

  /** In words, for the matrix. */
  String inWords() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
