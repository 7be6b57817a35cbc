/**
 * The HTTP server: {@link dev.onejob.server.http.ApiServer} opens the door, the packages beneath
 * read requests, carry out operations and write answers. {@code docs/http-api.md} is the contract.
 */
@NullMarked
package dev.onejob.server.http;

import org.jspecify.annotations.NullMarked;
