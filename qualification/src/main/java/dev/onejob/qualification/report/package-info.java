/** What a whole run proves: the judgements of all checks together. Pure, safe for many threads. */
@NullMarked
package dev.onejob.qualification.report;

import org.jspecify.annotations.NullMarked;
