/**
 * Providers that take work, answer with an id and do it later: submit, ask, cancel and callback as
 * the configuration describes them, with ready profiles. One request per attempt starts work; what
 * is asked afterwards starts none. Requests go only to the configured address.
 */
@NullMarked
package dev.onejob.providers.httpasync;

import org.jspecify.annotations.NullMarked;
