package dev.onejob.house.crooked.intent;

import dev.onejob.house.crooked.store.Shelf;

/** Breaks a rule: intent knows only domain. */
public final class KnowsTheStore {
  Shelf shelf = new Shelf();
}
