package dev.onejob.server.config;

import dev.onejob.domain.Kind;
import dev.onejob.engine.RetentionRules;
import dev.onejob.server.webhooks.WebhookSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A whole configuration, checked.
 *
 * @param origin the file, as the operator named it
 * @param dataFolder what the node keeps: the embedded database, the first keys
 * @param baseFolder what relative paths in providers' settings start from
 * @param proofRules what each kind says about providers that have not proved themselves
 * @param observation how one finds out what the node does
 * @param webhooks what owners may be told, and where
 * @param door the OpenAI door; null: there is none
 * @param ui the dashboard
 * @param places finds the lines of settings again, for what only shows when it is used
 */
public record Settings(
    String origin,
    ServerSettings server,
    DatabaseSettings database,
    RetentionRules retention,
    Path dataFolder,
    Path baseFolder,
    List<Kind> kinds,
    Map<String, ProofRules> proofRules,
    List<ProviderSettings> providers,
    ObservationSettings observation,
    WebhookSettings webhooks,
    @Nullable DoorSettings door,
    UiSettings ui,
    Places places) {

  /** Copies the lists. */
  public Settings {
    kinds = List.copyOf(kinds);
    proofRules = Map.copyOf(proofRules);
    providers = List.copyOf(providers);
  }

  /** The same with what the command line says. */
  public Settings with(Overrides overrides) {
    return new Settings(
        origin,
        new ServerSettings(
            Optional.ofNullable(overrides.host()).orElse(server.host()),
            Optional.ofNullable(overrides.port()).orElse(server.port()),
            Optional.ofNullable(overrides.node()).orElse(server.node()),
            server.slots(),
            server.pollInterval(),
            server.sweepInterval(),
            server.holding(),
            server.publicUrl()),
        Optional.ofNullable(overrides.database()).map(database::at).orElse(database),
        retention,
        Optional.ofNullable(overrides.data()).orElse(dataFolder),
        baseFolder,
        kinds,
        proofRules,
        providers,
        observation,
        webhooks,
        door,
        ui,
        places);
  }

  /** The same with other observation. */
  public Settings with(ObservationSettings other) {
    return new Settings(
        origin,
        server,
        database,
        retention,
        dataFolder,
        baseFolder,
        kinds,
        proofRules,
        providers,
        other,
        webhooks,
        door,
        ui,
        places);
  }

  /** The same with other kinds and providers. */
  Settings with(List<Kind> otherKinds, List<ProviderSettings> otherProviders) {
    return new Settings(
        origin,
        server,
        database,
        retention,
        dataFolder,
        baseFolder,
        otherKinds,
        proofRules,
        otherProviders,
        observation,
        webhooks,
        door,
        ui,
        places);
  }

  /** For how long a pass of a kind holds. */
  public Validity validity(String kind) {
    ProofRules rules = proofRules.get(kind);
    return rules == null ? Validity.USUAL : rules.validity();
  }
}
