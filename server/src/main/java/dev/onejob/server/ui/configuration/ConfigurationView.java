package dev.onejob.server.ui.configuration;

import java.util.List;

/**
 * A page of the configuration.
 *
 * @param origin where it was read from
 * @param kinds whose pages this one leads to; empty on those pages themselves
 * @param providers the same
 */
public record ConfigurationView(
    String origin, List<Part> parts, List<String> kinds, List<String> providers) {
  /** Copies the lists. */
  public ConfigurationView {
    parts = List.copyOf(parts);
    kinds = List.copyOf(kinds);
    providers = List.copyOf(providers);
  }
}
