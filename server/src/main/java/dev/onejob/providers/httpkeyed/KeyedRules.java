package dev.onejob.providers.httpkeyed;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.StatusMeaning;
import dev.onejob.providers.httpkeyed.KeyedSettings.ErrorRule;
import dev.onejob.providers.httpkeyed.KeyedSettings.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * How answers are read: what the settings say, above what the profile says, above the table of
 * {@link StatusMeaning}.
 *
 * @param id where the provider's id of the work is; empty: it has none
 * @param replayedHeader whose value {@code true} says that an answer was kept under the key
 * @param shouldRetryHeader whose value says whether to come again
 */
record KeyedRules(
    Map<Integer, Meaning> statuses,
    List<Case> errors,
    Optional<JsonPointer> id,
    JsonPointer result,
    Optional<States> states,
    Optional<String> replayedHeader,
    Optional<String> shouldRetryHeader) {

  /** An error that says more than its status. */
  record Case(int status, JsonPointer at, String is, Meaning means) {}

  /** Which words of an answer mean what. */
  record States(JsonPointer at, Set<String> succeeded, Set<String> failed, Set<String> atWork) {}

  /**
   * Stripe, API v1 (docs.stripe.com/api/idempotent_requests and /api/errors). 402: the parameters
   * were good, and the request failed. A 500 is kept under its key as well, but says of itself that
   * nothing is known; nor does any other conflict than that of a key.
   */
  private static final Map<Integer, Meaning> STRIPE_STATUSES =
      Map.of(402, Meaning.FAILED, 409, Meaning.IN_DOUBT, 424, Meaning.IN_DOUBT);

  private static final List<ErrorRule> STRIPE_ERRORS =
      List.of(
          new ErrorRule(409, "/error/code", "idempotency_key_in_use", Meaning.IN_PROGRESS),
          new ErrorRule(400, "/error/type", "idempotency_error", Meaning.KEY_MISMATCH));

  static KeyedRules of(KeyedSettings settings) {
    boolean stripe = settings.profile() == Profile.STRIPE;
    Map<Integer, Meaning> statuses = new HashMap<>(stripe ? STRIPE_STATUSES : Map.of());
    given(settings).forEach((status, meaning) -> statuses.put(Integer.valueOf(status), meaning));
    return new KeyedRules(
        Map.copyOf(statuses),
        cases(settings, stripe),
        Optional.ofNullable(settings.id())
            .or(() -> stripe ? Optional.of("/id") : Optional.empty())
            .map(id -> pointer(id, "/id")),
        pointer(Objects.requireNonNullElse(settings.result(), ""), "/result"),
        Optional.ofNullable(settings.state()).map(KeyedRules::states),
        header(settings.replayedHeader(), stripe, "Idempotent-Replayed"),
        header(settings.shouldRetryHeader(), stripe, "Stripe-Should-Retry"));
  }

  private static Map<String, Meaning> given(KeyedSettings settings) {
    return settings.statuses() == null ? Map.of() : settings.statuses();
  }

  private static Optional<String> header(@Nullable String given, boolean stripe, String stripes) {
    return Optional.ofNullable(given).or(() -> stripe ? Optional.of(stripes) : Optional.empty());
  }

  /** Those of the settings go before those of the profile. */
  private static List<Case> cases(KeyedSettings settings, boolean stripe) {
    List<ErrorRule> rules =
        new ArrayList<>(settings.errors() == null ? List.of() : settings.errors());
    if (stripe) {
      rules.addAll(STRIPE_ERRORS);
    }
    List<Case> cases = new ArrayList<>();
    for (ErrorRule rule : rules) {
      JsonPointer at = pointer(rule.at(), "/errors/" + cases.size() + "/at");
      cases.add(new Case(rule.status(), at, rule.is(), rule.means()));
    }
    return List.copyOf(cases);
  }

  private static States states(KeyedSettings.StateRule rule) {
    Set<String> succeeded = Set.copyOf(rule.succeeded());
    Set<String> failed = rule.failed() == null ? Set.of() : Set.copyOf(rule.failed());
    Set<String> atWork = rule.atWork() == null ? Set.of() : Set.copyOf(rule.atWork());
    apart(succeeded, failed, "/state/failed");
    apart(succeeded, atWork, "/state/at_work");
    apart(failed, atWork, "/state/at_work");
    return new States(pointer(rule.at(), "/state/at"), succeeded, failed, atWork);
  }

  private static void apart(Set<String> some, Set<String> others, String setting) {
    if (!Collections.disjoint(some, others)) {
      throw new InvalidSetting(setting, "a word of it stands in another list of the state too");
    }
  }

  private static JsonPointer pointer(String text, String setting) {
    try {
      return JsonPointer.compile(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(setting, "expected a JSON pointer such as /data/id");
    }
  }

  /**
   * What an answer without a success in its status means.
   *
   * @param body missing if it cannot be read
   */
  Meaning meaning(int status, JsonNode body) {
    for (Case each : errors) {
      JsonNode said = body.at(each.at());
      if (each.status() == status && said.isString() && said.stringValue().equals(each.is())) {
        return each.means();
      }
    }
    Meaning given = statuses.get(status);
    return given == null ? usual(status) : given;
  }

  private static Meaning usual(int status) {
    return switch (StatusMeaning.of(status)) {
      case REFUSED_FINAL -> Meaning.REFUSED;
      case REFUSED_RETRYABLE -> Meaning.REFUSED_RETRYABLE;
      case DOUBT -> Meaning.IN_DOUBT;
    };
  }
}
