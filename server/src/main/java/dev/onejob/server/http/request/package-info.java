/**
 * Reading what callers send: bodies within their bounds, members, parameters, preferences and ids.
 * Whatever cannot be used ends in a {@link dev.onejob.server.http.problem.ProblemException} that
 * says what and where.
 */
@NullMarked
package dev.onejob.server.http.request;

import org.jspecify.annotations.NullMarked;
