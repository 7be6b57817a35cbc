/**
 * One HTTP request over one connection of its own. There is no pool and no retry here, so that
 * nothing can be sent twice, and every failure says whether a byte of the request may have left.
 */
@NullMarked
package dev.onejob.providers.http;

import org.jspecify.annotations.NullMarked;
