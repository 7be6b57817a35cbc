/** Who may: API keys, of which only hashes are stored, and what their roles allow. */
@NullMarked
package dev.onejob.server.access;

import org.jspecify.annotations.NullMarked;
