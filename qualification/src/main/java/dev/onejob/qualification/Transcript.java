package dev.onejob.qualification;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that was asked in a run, and what came.
 *
 * @param provider what is known of who was asked
 * @param incumbent what the route's first provider was asked last; empty: nothing to compare with
 */
public record Transcript(
    Promise promise, Candidate provider, List<Entry> entries, List<Entry> incumbent) {
  /** Copies the lists. */
  public Transcript {
    entries = List.copyOf(entries);
    incumbent = List.copyOf(incumbent);
  }

  /** One question and what came of it. */
  public record Entry(Ask ask, Observation came) {}

  /** Questions of which nobody knows what came. */
  public int unanswered() {
    return Math.toIntExact(entries.stream().filter(entry -> !isKnown(entry)).count());
  }

  private static boolean isKnown(Entry entry) {
    return entry.came().ending() != Observation.Ending.UNANSWERED;
  }

  /** Without the questions of which nobody knows what came. */
  public Transcript known() {
    return new Transcript(
        promise, provider, entries.stream().filter(Transcript::isKnown).toList(), incumbent);
  }

  /** The entries of some series, in the order in which they were asked. */
  public Stream<Entry> of(Ask.Series... series) {
    List<Ask.Series> wanted = Arrays.asList(series);
    return entries.stream().filter(entry -> wanted.contains(entry.ask().series()));
  }

  /** The sample that a question is about. */
  public Promise.Sample sample(Ask ask) {
    return promise.samples().stream()
        .filter(sample -> sample.name().equals(ask.about()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no sample is named " + ask.about()));
  }
}
