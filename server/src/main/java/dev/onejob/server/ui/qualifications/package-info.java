/**
 * Which provider has proved what: providers against kinds, the runs behind each cell, and what was
 * asked and answered. Reads through the small pool of pages; runs are begun and stopped by the same
 * calls as the API's. Words about cells and answers are pure functions over what was read.
 */
@NullMarked
package dev.onejob.server.ui.qualifications;

import org.jspecify.annotations.NullMarked;
