package dev.onejob.providers.http;

/** What a status other than success proves about the work, if the provider itself sent it. */
public enum StatusMeaning {
  /** Turned away before any work; trying again would end the same way. */
  REFUSED_FINAL,
  /** Turned away before any work; may be tried again. */
  REFUSED_RETRYABLE,
  /** Nothing: the work may be going on. */
  DOUBT;

  /** The table. Whatever is not in it is doubt. */
  public static StatusMeaning of(int status) {
    return switch (status) {
      // 301, 307 and 308 say that nothing was done at this address; 302 and 303 do not.
      case 301, 307, 308 -> REFUSED_FINAL;
      case 400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 431 -> REFUSED_FINAL;
      case 429 -> REFUSED_RETRYABLE;
      default -> DOUBT;
    };
  }
}
