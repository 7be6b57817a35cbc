package dev.onejob.house.crooked.store;

import dev.onejob.house.crooked.engine.TalksSql;

/** Breaks two rules: store knows only domain, and engine and store know each other both ways. */
public final class KnowsTheEngine {
  TalksSql engine = new TalksSql();
}
