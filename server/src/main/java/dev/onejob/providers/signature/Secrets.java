package dev.onejob.providers.signature;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Secrets from the environment or from files, read once. Never part of a message or a log. */
public final class Secrets {
  private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,4096}");

  private final ProviderContext context;

  /** Looks where that context says. */
  public Secrets(ProviderContext context) {
    this.context = context;
  }

  /**
   * Those that the settings name, with white space between; empty if they name none.
   *
   * @param prefix of both settings, a JSON pointer
   * @throws InvalidSetting if they are not there, or are not of visible ASCII characters
   */
  public List<String> read(@Nullable String variable, @Nullable String file, String prefix) {
    if (variable != null) {
      String text = context.environment().apply(variable);
      if (text == null) {
        String problem = "the environment variable " + variable + " is not set";
        throw new InvalidSetting(prefix + "_env", problem);
      }
      return checked(text, prefix + "_env");
    }
    return file == null ? List.of() : checked(text(file, prefix), prefix + "_file");
  }

  private String text(String file, String prefix) {
    Path path = context.baseFolder().resolve(file);
    try {
      return Files.readString(path);
    } catch (IOException e) {
      String problem = "cannot read " + path + " (" + e.getClass().getSimpleName() + ")";
      throw new InvalidSetting(prefix + "_file", problem);
    }
  }

  private static List<String> checked(String text, String pointer) {
    List<String> secrets = List.of(text.strip().split("\\s+"));
    if (!secrets.stream().allMatch(secret -> FORM.matcher(secret).matches())) {
      throw new InvalidSetting(pointer, "it holds no secret of visible ASCII characters");
    }
    return secrets;
  }
}
