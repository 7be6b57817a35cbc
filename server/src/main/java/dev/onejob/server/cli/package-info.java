/**
 * The command line. Its client speaks to a node over HTTP as any other client would; it makes one
 * key per invocation and has no way to make another. Nothing of the engine is imported here.
 */
@NullMarked
package dev.onejob.server.cli;

import org.jspecify.annotations.NullMarked;
