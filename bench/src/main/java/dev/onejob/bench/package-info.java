/**
 * Measurements of Onejob beside what it is compared with: in one run, on one machine, in rounds
 * that take turns. Figures go to standard output as Markdown; they are no tests and no gate.
 */
@NullMarked
package dev.onejob.bench;

import org.jspecify.annotations.NullMarked;
