/**
 * Programs on this machine as providers: the configuration names the program, the job's input comes
 * on its standard input, and its standard output is the result. Whatever a program started is ended
 * with it.
 */
@NullMarked
package dev.onejob.providers.command;

import org.jspecify.annotations.NullMarked;
