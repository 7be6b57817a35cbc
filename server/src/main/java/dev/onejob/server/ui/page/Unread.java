package dev.onejob.server.ui.page;

import dev.onejob.server.http.problem.Problem;
import java.util.Map;

/**
 * What is left of a press that did not go through, where the page around its form cannot be read.
 *
 * @param problem why it was not done
 * @param here where the page is
 * @param typed the names of the fields that were filled in, and what was, in the order of the form
 */
public record Unread(Problem problem, String here, Map<String, String> typed) {}
