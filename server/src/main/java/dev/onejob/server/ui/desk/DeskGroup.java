package dev.onejob.server.ui.desk;

import java.time.Instant;

/**
 * The attempts in doubt of one kind at one provider, whose jobs have no result yet.
 *
 * @param oldest since when the oldest has been in doubt
 */
public record DeskGroup(String kind, String provider, long attempts, Instant oldest) {}
