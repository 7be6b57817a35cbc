/**
 * The desk: what waits for a person, what is known about it, and what each decision would do before
 * it is made. What a decision does is asked of the engine, and made by the same call as the API's.
 * Reads through the small pool of pages; whatever is refused is shown by the words of the API.
 */
@NullMarked
package dev.onejob.server.ui.desk;

import org.jspecify.annotations.NullMarked;
