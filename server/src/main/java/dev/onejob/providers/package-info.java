/**
 * What every provider adapter shares: how a type of provider is named, configured and made, JSON
 * within limits, and text of strangers made fit to keep. The adapters themselves live in the rooms
 * below; none knows another, the engine or the database of jobs.
 */
@NullMarked
package dev.onejob.providers;

import org.jspecify.annotations.NullMarked;
