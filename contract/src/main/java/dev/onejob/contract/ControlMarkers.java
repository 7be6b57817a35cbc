package dev.onejob.contract;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Marks that steer a model and never belong into what it says: control tokens of chat templates,
 * and the character that stands for bytes that could not be read. What the input has, the answer
 * may have.
 */
public final class ControlMarkers {
  /** A control token leaked into the answer. */
  public static final String LEAKED = "control-marker";

  /** The answer holds U+FFFD. */
  public static final String MANGLED = "mangled-text";

  private static final String REPLACEMENT = "\uFFFD";

  private static final Pattern MARKER =
      Pattern.compile(
          "<\\|[A-Za-z0-9_]{2,40}\\|>|<｜[^｜<>]{2,40}｜>|\\[/?INST\\]|<</?SYS>>"
              + "|<(start|end)_of_turn>|<(bos|eos|pad|unk)>|</s>|\\[(BOS|EOS)\\]");

  private ControlMarkers() {}

  /** The first marker of a text that the input has not; empty if there is none. */
  public static Optional<String> leaked(String text, String input) {
    if (text.indexOf('<') < 0 && text.indexOf('[') < 0) {
      return Optional.empty();
    }
    Matcher marker = MARKER.matcher(text);
    Set<String> known = null;
    while (marker.find()) {
      known = known == null ? markers(input) : known;
      if (known.add(marker.group()) && !input.contains(marker.group())) {
        return Optional.of(marker.group());
      }
    }
    return Optional.empty();
  }

  /** All at once: to look for each by itself would take the input's length times the answer's. */
  private static Set<String> markers(String input) {
    Set<String> markers = new HashSet<>();
    Matcher marker = MARKER.matcher(input);
    while (marker.find()) {
      markers.add(marker.group());
    }
    return markers;
  }

  /** Whether a text has the replacement character and the input has not. */
  public static boolean mangled(String text, String input) {
    return text.contains(REPLACEMENT) && !input.contains(REPLACEMENT);
  }
}
