/**
 * Where the rows live: a pool of connections to the PostgreSQL that the configuration names, or to
 * the embedded one, which keeps its data across restarts and forgets nothing that was acknowledged.
 *
 * <p>One thing is running here that outlives a killed service: the embedded server's processes. The
 * next start on the same folder ends them before it begins.
 */
@NullMarked
package dev.onejob.server.database;

import org.jspecify.annotations.NullMarked;
