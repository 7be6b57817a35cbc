package dev.onejob.engine;

/**
 * A callback came to a node that does not know the provider of its attempt, and so neither the form
 * in which it speaks nor its signature. Nothing was changed; it is to be brought to a node that
 * knows the provider.
 */
public final class ProviderNotKnownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String provider;
  private final String kind;

  ProviderNotKnownException(String provider, String kind) {
    super("the provider " + provider + " is not known here, so that its callback cannot be read");
    this.provider = provider;
    this.kind = kind;
  }

  /** The provider that is not known. */
  public String provider() {
    return provider;
  }

  /** The kind of the attempt's job. */
  public String kind() {
    return kind;
  }
}
