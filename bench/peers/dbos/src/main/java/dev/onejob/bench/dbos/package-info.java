/** DBOS Transact as a contestant of the bench, in a process and on a class path of its own. */
@NullMarked
package dev.onejob.bench.dbos;

import org.jspecify.annotations.NullMarked;
