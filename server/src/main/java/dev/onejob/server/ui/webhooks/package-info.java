/**
 * Webhooks: where owners are told, what was told, what came of each try, and the button that tells
 * it again. Reads through the small pool of pages, on the thread of the request; what the database
 * throws becomes a page that says so.
 */
@NullMarked
package dev.onejob.server.ui.webhooks;

import org.jspecify.annotations.NullMarked;
