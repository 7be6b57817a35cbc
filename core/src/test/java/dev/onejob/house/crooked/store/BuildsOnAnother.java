package dev.onejob.house.crooked.store;

/** Breaks a rule: no class extends a concrete one of ours. */
public final class BuildsOnAnother extends Shelf {}
