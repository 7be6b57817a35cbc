package dev.onejob.engine;

/**
 * A result came to a node that does not know the kind of its job, and so cannot hold it against the
 * contract. Nothing was changed; it is to be brought to a node that knows the kind.
 */
public final class KindNotKnownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String kind;

  KindNotKnownException(String kind) {
    super(
        "the kind "
            + kind
            + " or its contract is not known here, so that the result cannot be checked");
    this.kind = kind;
  }

  /** The kind that is not known. */
  public String kind() {
    return kind;
  }
}
