package dev.onejob.server.http;

/**
 * Where the API listens.
 *
 * @param host a name or address of this machine
 * @param port 0: any that is free
 */
public record ApiSettings(String host, int port) {}
