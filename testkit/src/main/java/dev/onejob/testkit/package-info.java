/** What Onejob's own tests, and those of its users, stand on: a real PostgreSQL and real jobs. */
@NullMarked
package dev.onejob.testkit;

import org.jspecify.annotations.NullMarked;
