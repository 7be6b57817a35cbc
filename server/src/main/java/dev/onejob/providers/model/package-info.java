/**
 * What adapters share that describe their requests in the configuration: templates, and the key to
 * an endpoint. Immutable, without threads; what cannot be used is said when the adapter is made.
 */
@NullMarked
package dev.onejob.providers.model;

import org.jspecify.annotations.NullMarked;
