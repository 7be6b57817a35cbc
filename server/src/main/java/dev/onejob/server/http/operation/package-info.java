/**
 * The operations of the API, one class each: parse, call one method of the engine, switch over its
 * sealed answer. {@link dev.onejob.server.http.operation.Routes} says which path leads where and
 * which roles may go there; {@link dev.onejob.server.http.operation.Guard} asks for the key first.
 *
 * <p>Every operation runs on a virtual thread of its own and holds no connection while it waits. An
 * exception that nobody expected is logged under an id and answered with that id alone.
 */
@NullMarked
package dev.onejob.server.http.operation;

import org.jspecify.annotations.NullMarked;
