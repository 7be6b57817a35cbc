package dev.onejob.server.ui.configuration;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings that stand together.
 *
 * @param title as in the file
 * @param note what a reader should know of them; null: nothing
 */
public record Part(String title, @Nullable String note, List<Setting> settings) {
  /** Copies the list. */
  public Part {
    settings = List.copyOf(settings);
  }

  /** Settings of which there is nothing more to say. */
  static Part of(String title, List<Setting> settings) {
    return new Part(title, null, settings);
  }
}
