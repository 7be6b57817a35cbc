/**
 * The dashboard: pages for people, made by the server itself. {@link
 * dev.onejob.server.ui.Dashboard} opens it; {@link dev.onejob.server.ui.Gate} asks who comes before
 * anything is shown or done, and {@link dev.onejob.server.ui.Entrance} gives each API key its share
 * of the room; each part of it is a {@link dev.onejob.server.ui.page.Section} in a package of its
 * own.
 *
 * <p>Requests run on virtual threads; live pages hold one each. What goes wrong becomes a page that
 * says so, with the status and the words of the API's problems.
 */
@NullMarked
package dev.onejob.server.ui;

import org.jspecify.annotations.NullMarked;
