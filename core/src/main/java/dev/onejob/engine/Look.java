package dev.onejob.engine;

/** What one look for due jobs came to. */
sealed interface Look {
  /** So many jobs were taken; there may be more. 0: others have just taken what was found. */
  record Took(int jobs) implements Look {}

  /** There may be due jobs that only lack a slot. */
  record LacksSlots() implements Look {}

  /** There was nothing to take. */
  record NothingDue() implements Look {}
}
