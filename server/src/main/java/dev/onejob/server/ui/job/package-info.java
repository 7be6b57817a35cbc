/**
 * One job: what was asked and by whom, the picture of its attempts over time, what is known about
 * them, and what a person can do. {@link dev.onejob.server.ui.job.Timeline} is pure; buttons go the
 * way of the API.
 */
@NullMarked
package dev.onejob.server.ui.job;

import org.jspecify.annotations.NullMarked;
