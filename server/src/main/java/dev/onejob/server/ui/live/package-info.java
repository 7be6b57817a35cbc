/**
 * How open pages learn that something has changed: {@link dev.onejob.server.ui.live.Feed} asks the
 * database once for all pages of a node, {@link dev.onejob.server.ui.live.EventStream} tells each
 * of them by server-sent events that it may look again.
 *
 * <p>One thread of the node looks, and only while somebody watches; each page that is watched holds
 * a virtual thread. A look that fails is logged; after the next one that succeeds every page is
 * told.
 */
@NullMarked
package dev.onejob.server.ui.live;

import org.jspecify.annotations.NullMarked;
