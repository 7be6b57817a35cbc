package dev.onejob.server.ui.page;

import dev.onejob.server.http.problem.Problem;

/**
 * A page that says why there is no other.
 *
 * @param back where a form was that was pressed; empty: something was read, or is not there
 */
public record ProblemPage(Problem problem, String back) {}
