/** What makes two requests the same intent: strict JSON, its canonical form and the fingerprint. */
@NullMarked
package dev.onejob.intent;

import org.jspecify.annotations.NullMarked;
