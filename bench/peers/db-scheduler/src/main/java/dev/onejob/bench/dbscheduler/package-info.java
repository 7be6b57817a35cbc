/** db-scheduler as a contestant of the bench, in a process and on a class path of its own. */
@NullMarked
package dev.onejob.bench.dbscheduler;

import org.jspecify.annotations.NullMarked;
