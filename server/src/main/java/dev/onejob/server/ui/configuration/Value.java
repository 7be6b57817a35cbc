package dev.onejob.server.ui.configuration;

import dev.onejob.server.ui.page.Shown;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of one setting. Whoever makes one says of which type the setting is: there is no
 * way from a free text to what is shown, so that a setting which nobody has thought of is hidden.
 */
public sealed interface Value {
  /** Shown as it is. */
  record Plain(String text) implements Value {}

  /** Set, and not shown: it is a secret, or a text in which one may stand. */
  record Hidden() implements Value {}

  /** Not set. */
  record Unset(String instead) implements Value {}

  /** A secret, or a text in which one may stand. */
  static Value hidden(@Nullable Object secret) {
    return secret == null ? unset() : new Hidden();
  }

  /** Nothing. */
  static Value unset() {
    return new Unset("not set");
  }

  /** A whole number. */
  static Value of(long number) {
    return new Plain(Long.toString(number));
  }

  /** A share, to the digit. */
  static Value of(double number) {
    return new Plain(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
  }

  /** An amount, to the digit; null: there is none. */
  static Value of(@Nullable BigDecimal amount) {
    return amount == null ? unset() : new Plain(amount.toPlainString());
  }

  /** A switch. */
  static Value of(boolean on) {
    return new Plain(Boolean.toString(on));
  }

  /** One of few words. */
  static Value of(Enum<?> word) {
    return new Plain(word.name().toLowerCase(Locale.ROOT));
  }

  /** A length of time, as one would write it in the file; null: never. */
  static Value of(@Nullable Duration length) {
    return length == null ? new Unset("never") : new Plain(written(length));
  }

  /** A file or a folder, whose content is not looked at. */
  static Value of(Path path) {
    return new Plain(path.toString());
  }

  /** A name that the operator has given to something. */
  static Value name(@Nullable String name) {
    return name == null ? unset() : new Plain(name);
  }

  /** Names in their order. */
  static Value names(Collection<String> names) {
    return names.isEmpty() ? new Unset("none") : new Plain(String.join(", ", names));
  }

  /** The name of a database behind its host. */
  Pattern DATABASE = Pattern.compile("(/[A-Za-z0-9_-]{0,63})([?;].*)?", Pattern.DOTALL);

  /**
   * An address: its scheme, host and port. User, password, path and parameters are left out, for
   * any of them may be a secret.
   */
  static Value address(@Nullable String address) {
    if (address == null) {
      return unset();
    }
    return Shown.parts(address).isPresent() ? new Plain(Shown.address(address)) : new Hidden();
  }

  /** The same for a database, with its name. */
  static Value database(String address) {
    Shown.Address parts = Shown.parts(address).orElse(null);
    Matcher name = DATABASE.matcher(parts == null ? "" : parts.rest());
    if (parts == null || !name.matches()) {
      return address(address);
    }
    return new Plain(parts.schemeAndHost() + name.group(1) + (name.group(2) == null ? "" : "…"));
  }

  private static String written(Duration length) {
    long millis = length.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds != 0 && seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds != 0 && seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds != 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
