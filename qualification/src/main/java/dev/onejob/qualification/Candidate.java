package dev.onejob.qualification;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Who is asked.
 *
 * @param name in the configuration
 * @param type the adapter's name
 * @param binding a digest of everything in the settings that a pass is bound to
 * @param adapterVersion of the code that speaks to it
 * @param model that is asked for; null where there is none
 * @param parameters that production sets
 * @param abilities how it can be asked otherwise than in production
 */
public record Candidate(
    String name,
    String type,
    String binding,
    String adapterVersion,
    @Nullable String model,
    Map<String, JsonNode> parameters,
    Set<Ability> abilities) {
  /** Copies the collections. */
  public Candidate {
    parameters = Map.copyOf(parameters);
    abilities = Set.copyOf(abilities);
  }

  /** One way in which an adapter lets itself be asked. */
  public enum Ability {
    /** Its turns and parameters can be replaced. */
    TWISTED,
    /** Production gives it a system turn. */
    SYSTEM_TURN,
    /** It needs a key. */
    KEY,
    /** It speaks to an address, and failures can be played to it from another. */
    PLAYED_TO
  }

  /** Whether it can be asked so. */
  public boolean can(Ability ability) {
    return abilities.contains(ability);
  }
}
