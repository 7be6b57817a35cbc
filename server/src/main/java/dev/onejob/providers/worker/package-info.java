/**
 * The type {@code worker}: work that workers fetch over the API. Nothing is called from here, so it
 * has no threads, and nothing that could fail.
 */
@NullMarked
package dev.onejob.providers.worker;

import org.jspecify.annotations.NullMarked;
