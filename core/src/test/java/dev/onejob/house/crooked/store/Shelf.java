package dev.onejob.house.crooked.store;

/** Breaks nothing by itself. */
public class Shelf {}
