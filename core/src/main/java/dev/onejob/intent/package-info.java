/**
 * What makes two requests the same intent: strict JSON, its canonical form and the fingerprint.
 *
 * <p>{@link dev.onejob.intent.StrictJson} reads what people and programs send us, {@link
 * dev.onejob.intent.ResultReading} what a provider made, {@link dev.onejob.intent.KeyHeader} the
 * key. {@link dev.onejob.intent.CanonicalJson} writes a value in the one way that {@link
 * dev.onejob.intent.Intent} takes the fingerprint of. All of it is pure and starts no thread; what
 * is refused is refused with its place.
 */
@NullMarked
package dev.onejob.intent;

import org.jspecify.annotations.NullMarked;
