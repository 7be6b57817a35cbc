package dev.onejob.server.http.operation;

import dev.onejob.domain.Limits;
import dev.onejob.server.http.request.Parameters;

/** How long a page of webhooks or deliveries is. */
final class PageLimit {
  static final String PARAMETER = "limit";
  private static final int USUAL = 50;

  private PageLimit() {}

  static int of(Parameters parameters) {
    Integer given =
        parameters.read(PARAMETER, "a whole number from 1 to " + Limits.PAGE_MAX, PageLimit::limit);
    return given == null ? USUAL : given;
  }

  private static Integer limit(String text) {
    int limit = Integer.parseInt(text);
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new IllegalArgumentException(text);
    }
    return limit;
  }
}
