/**
 * What every page of the dashboard stands on: {@link dev.onejob.server.ui.page.Section} says which
 * addresses a part of it has, {@link dev.onejob.server.ui.page.Visit} is one request of a person
 * who has logged in, {@link dev.onejob.server.ui.page.Pages} turns templates into answers.
 *
 * <p>A new part is a package beside this one with a {@code Section}, a line in {@code
 * Dashboard.sections}, and templates in {@code src/main/jte}, in a folder of the same name. Every
 * template takes {@code frame} and {@code it}, of which the second is a public record of the part.
 * Whole pages call {@code @template.layout}; a page that gives it {@code live} ("all", or the id of
 * a job) has parts with {@code hx-get} and {@code hx-trigger="onejob-changed from:body"}. Forms
 * send {@code @template.tag.csrf}, and those that act on what they show {@code @template.tag.asof}.
 * A part is renewed as a whole or left to whoever has a form of it in hand; what comes along for
 * other places ({@code hx-swap-oob}) as well. Inside a form all is renewed but what has {@code
 * data-keep}: as of what the form is shown; {@code @template.tag.more} says that it is older than
 * the page. A page with {@code data-steady} looks every five seconds. States, times, ids, texts and
 * problems have templates in {@code tag}.
 *
 * <p>Pages run on the virtual thread of their request and read through the small pool of {@link
 * dev.onejob.server.ui.page.Means}, in a turn of their API key. What they make is kept ({@link
 * dev.onejob.server.ui.page.AnswerGiver}) and sent when that turn was given back, so that nobody
 * who reads slowly keeps it. What they throw becomes a page that says so.
 */
@NullMarked
package dev.onejob.server.ui.page;

import org.jspecify.annotations.NullMarked;
