/**
 * What the output of a kind must be: contracts, their reading from files, and the check of an
 * answer. Everything here is immutable and safe for many threads; a check runs on a thread of its
 * own and is given up when its time is over. Whatever cannot be checked breaks the contract; a
 * contract that cannot be used is a {@link dev.onejob.document.ConfigException} when it is read.
 */
@NullMarked
package dev.onejob.contract;

import org.jspecify.annotations.NullMarked;
