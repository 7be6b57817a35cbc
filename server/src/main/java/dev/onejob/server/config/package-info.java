/**
 * What the operator wrote down: one YAML file, read into {@link dev.onejob.server.config.Settings}.
 * Everything that is wrong with it is said at once, with file, line and what was expected. It knows
 * the types of providers only by their schemas, and it opens nothing.
 */
@NullMarked
package dev.onejob.server.config;

import org.jspecify.annotations.NullMarked;
