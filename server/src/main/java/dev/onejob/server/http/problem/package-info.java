/**
 * What can go wrong in a call, as RFC 9457 problem documents. {@link
 * dev.onejob.server.http.problem.ProblemType} is the one table of codes, statuses and titles; no
 * other file of the server names a status by its number.
 */
@NullMarked
package dev.onejob.server.http.problem;

import org.jspecify.annotations.NullMarked;
