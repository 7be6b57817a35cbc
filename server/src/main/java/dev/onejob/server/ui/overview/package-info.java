/**
 * The first page: what is in doubt, what is under way, and who is there. Reads through the small
 * pool of pages; answers that all tabs share are kept for a moment.
 */
@NullMarked
package dev.onejob.server.ui.overview;

import org.jspecify.annotations.NullMarked;
