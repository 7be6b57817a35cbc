package dev.onejob.providers;

import dev.onejob.provider.ProviderRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How a type of provider is asked otherwise than in production, for a qualification. */
public interface Twisting {
  /** The environment variable that a twisted provider reads its key from. */
  String KEY_VARIABLE = "ONEJOB_KEY_OF_A_PROBE";

  /** What a qualification has to know of a provider. */
  Facts facts(JsonNode settings);

  /**
   * The settings of a provider that asks so.
   *
   * @param twist {@code system} replaces the system turn, {@code system_before} and {@code
   *     system_after} stand around it, {@code user} replaces the other turns, {@code user_after}
   *     follows them, {@code parameters} are set, {@code without} are left out, {@code key} is sent
   *     instead of the provider's, {@code base_url} is where it speaks to
   */
  JsonNode twisted(JsonNode settings, JsonNode twist);

  /**
   * Asks how the server renders the prompt of a request. At most three requests leave, and none of
   * them starts work of the model. Empty: the server does not show it.
   *
   * @throws NotShownNow if the server gave no answer that says so; it may be asked again
   * @throws InterruptedException if nobody waits any more
   */
  Optional<Rendered> render(JsonNode settings, ProviderContext context, ProviderRequest request)
      throws InterruptedException;

  /** How the server renders is not known for now. */
  final class NotShownNow extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the reason, for people. */
    public NotShownNow(String message) {
      super(message);
    }
  }

  /**
   * What is known of a provider from its settings.
   *
   * @param turn whether production gives it a system turn
   */
  record Facts(
      @Nullable String model, Map<String, JsonNode> parameters, SystemTurn turn, Keyed keyed) {}

  /** Whether there is a system turn. */
  enum SystemTurn {
    NONE,
    GIVEN
  }

  /** Whether a key is sent. */
  enum Keyed {
    NO_KEY,
    BY_KEY
  }

  /**
   * A prompt as the server renders it.
   *
   * @param pieces the text of each token; empty where it is not told
   * @param roundTrip the tokens turned back into text; null where that is not told
   */
  record Rendered(String prompt, List<String> pieces, int tokens, @Nullable String roundTrip) {}
}
