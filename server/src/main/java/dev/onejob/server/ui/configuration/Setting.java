package dev.onejob.server.ui.configuration;

/**
 * One setting.
 *
 * @param name as in the file, below the part that it stands in
 */
public record Setting(String name, Value value) {}
