/**
 * The configuration as the node has read it, defaults included. What may be shown is said by the
 * type of a setting: {@link dev.onejob.server.ui.configuration.Value} has no form for a secret's
 * text. Made once, when the node starts; reads nothing afterwards.
 */
@NullMarked
package dev.onejob.server.ui.configuration;

import org.jspecify.annotations.NullMarked;
