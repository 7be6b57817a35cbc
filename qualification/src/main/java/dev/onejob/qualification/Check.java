package dev.onejob.qualification;

/** One check: looks at a whole run and says what it proves. */
public interface Check {
  /** Its id, such as {@code Q4}. */
  String id();

  /** What it looks for, in a few words. */
  String title();

  /** Judges a run. */
  Judgement judge(Transcript transcript);
}
