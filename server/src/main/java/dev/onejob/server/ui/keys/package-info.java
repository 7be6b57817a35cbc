/**
 * API keys: whose they are, what they open, since when and until when; never a secret, which is not
 * kept either. Reads through the small pool of pages, on the thread of the request.
 */
@NullMarked
package dev.onejob.server.ui.keys;

import org.jspecify.annotations.NullMarked;
