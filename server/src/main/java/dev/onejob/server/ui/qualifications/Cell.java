package dev.onejob.server.ui.qualifications;

import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Shown;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one provider for one kind.
 *
 * @param spot where the provider stands on the route of the kind
 * @param unusable why nothing can be proved; null: it can
 * @param pass the one that holds, or else the newest; null: there never was one
 * @param run the newest; null: there never was one
 */
public record Cell(
    String kind,
    String provider,
    Spot spot,
    @Nullable String unusable,
    @Nullable Pass pass,
    @Nullable LastRun run) {
  /** Where a provider stands on a route. */
  public enum Spot {
    FIRST,
    FALLBACK,
    NOT_ON_ROUTE
  }

  /** Whether a pass counts. */
  public enum Worth {
    HOLDS,
    WITHDRAWN,
    EXPIRED,
    /** Contract, settings, adapter or model are others now. */
    VOID
  }

  /**
   * A pass.
   *
   * @param breaches contract breaches in production since the last kept contract, in a row
   * @param ended when and why it was withdrawn, in words; null: it was not
   */
  public record Pass(
      Worth worth,
      String run,
      Instant passedAt,
      Instant validUntil,
      int breaches,
      @Nullable String ended) {}

  /**
   * A run, in short.
   *
   * @param state its word
   */
  public record LastRun(
      String id,
      String state,
      int asked,
      int answered,
      Instant createdAt,
      @Nullable Instant endedAt) {
    /** Whether it is under way. */
    public boolean running() {
      return state.equals("running");
    }
  }

  /** What the cell says first: {@code pass}, {@code fail} or {@code none}. */
  public String mark() {
    return switch (pass == null ? null : pass.worth()) {
      case HOLDS -> "pass";
      case WITHDRAWN, EXPIRED, VOID -> "fail";
      case null -> "none";
    };
  }

  /** Whether there is a proof, in one or two words. */
  public String word() {
    return switch (pass == null ? null : pass.worth()) {
      case HOLDS -> "qualified";
      case WITHDRAWN -> "withdrawn";
      case EXPIRED -> "expired";
      case VOID -> "void";
      case null -> "never qualified";
    };
  }

  /** Until when, since when, or why. */
  public String more(Instant now) {
    if (pass == null) {
      return unusable == null ? "" : unusable;
    }
    return switch (pass.worth()) {
      case HOLDS ->
          "until "
              + Shown.time(pass.validUntil())
              + ", for another "
              + Shown.age(now, pass.validUntil())
              + (pass.breaches() == 0
                  ? ""
                  : "; " + Shown.count(pass.breaches()) + " breaches in a row");
      case WITHDRAWN -> Shown.text(pass.ended());
      case EXPIRED -> "on " + Shown.time(pass.validUntil());
      case VOID ->
          "passed " + Shown.time(pass.passedAt()) + " under another contract, setting or adapter";
    };
  }

  /** The address of its page. */
  public String path() {
    return Place.QUALIFICATIONS.path()
        + "/of?kind="
        + URLEncoder.encode(kind, StandardCharsets.UTF_8)
        + "&provider="
        + URLEncoder.encode(provider, StandardCharsets.UTF_8);
  }
}
