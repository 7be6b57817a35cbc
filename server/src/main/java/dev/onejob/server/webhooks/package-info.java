/**
 * Tells owners of their jobs: {@link dev.onejob.server.webhooks.Sender} takes what the outbox holds
 * and sends each event, signed anew at every try, to an address that was looked up and judged for
 * this very connection. One loop takes, a virtual thread for each try sends; all are safe for many
 * threads. What fails is tried again by the schedule and stays in the log; nothing here ever stands
 * in the way of a job.
 */
@NullMarked
package dev.onejob.server.webhooks;

import org.jspecify.annotations.NullMarked;
