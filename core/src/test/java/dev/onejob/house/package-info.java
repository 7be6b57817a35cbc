/**
 * The rules of the house, as tests: which room may know which, how long things may be, what may not
 * be called or named. STYLE.md lists them. Every rule is shown to fail on something crooked.
 */
package dev.onejob.house;
