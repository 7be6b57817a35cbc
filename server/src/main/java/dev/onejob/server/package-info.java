/**
 * The service as a whole: {@link dev.onejob.server.Service} is the only place where its parts are
 * put together, {@link dev.onejob.server.Main} where a process begins.
 */
@NullMarked
package dev.onejob.server;

import org.jspecify.annotations.NullMarked;
