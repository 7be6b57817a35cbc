package dev.onejob.house.crooked.domain;

import dev.onejob.house.crooked.store.Shelf;
import java.net.URI;

/** Breaks two rules: domain knows nothing of ours, and nothing outside the process. */
public final class KnowsTheStore {
  Shelf shelf = new Shelf();
  URI address = URI.create("http://localhost");
}
