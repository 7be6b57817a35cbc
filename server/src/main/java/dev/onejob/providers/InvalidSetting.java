package dev.onejob.providers;

/** A setting of a provider that cannot be used. */
public final class InvalidSetting extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  /**
   * Names the place and the trouble.
   *
   * @param pointer a JSON pointer into the provider's settings
   * @param problem what is wrong and what was expected; never quotes a secret
   */
  public InvalidSetting(String pointer, String problem) {
    super((pointer.isEmpty() ? "the settings" : pointer) + ": " + problem);
    this.pointer = pointer;
  }

  /** A JSON pointer to the setting; empty for the settings as a whole. */
  public String pointer() {
    return pointer;
  }
}
