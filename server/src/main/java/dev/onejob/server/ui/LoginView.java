package dev.onejob.server.ui;

/**
 * What the page of the log-in shows.
 *
 * @param next where the browser goes afterwards, on this host
 * @param failed whether a key was tried in vain
 */
public record LoginView(String next, boolean failed) {}
