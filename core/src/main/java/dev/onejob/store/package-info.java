/**
 * All SQL and all transaction boundaries. One final class per conversation; every statement is a
 * whole text block above the method that runs it. There is no interface over it: the truth is in
 * PostgreSQL, and a stand-in would lie exactly where truth is needed.
 */
@NullMarked
package dev.onejob.store;

import org.jspecify.annotations.NullMarked;
