/**
 * One class for each check: what it looks at in the answers, and the words in which it says what is
 * wrong with one. Pure, and safe for many threads; a check that cannot tell says nothing.
 */
@NullMarked
package dev.onejob.qualification.check;

import org.jspecify.annotations.NullMarked;
