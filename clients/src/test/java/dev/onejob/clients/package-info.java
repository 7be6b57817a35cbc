/** Unchanged clients of OpenAI's API, from their registries, at the door of a real node. */
@NullMarked
package dev.onejob.clients;

import org.jspecify.annotations.NullMarked;
