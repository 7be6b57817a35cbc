package dev.onejob.server.ui.playground;

/**
 * Something that was done, or came to pass, on one side of a run.
 *
 * @param at since the run began, for people
 * @param did what it was
 * @param got what came of it; empty: nothing to say
 * @param why what it means; empty: nothing to say
 * @param curl the line that does the same; empty: nobody did anything
 */
public record Step(String at, String did, String got, String why, String curl) {}
