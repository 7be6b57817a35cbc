package dev.onejob.providers.http;

/**
 * One event of a stream of events.
 *
 * @param name {@code message} where the stream names none
 * @param data its lines, joined by line feeds
 */
public record ServerEvent(String name, String data) {}
