package dev.onejob.server.ui.configuration;

import dev.onejob.domain.Kind;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.util.List;

/** The configuration of this node, read only, for operators. */
public final class ConfigurationSection implements Section {
  private static final String TEMPLATE = "configuration/page";

  private final Settings settings;

  /** Over what pages are made from. */
  public ConfigurationSection(Means means) {
    this.settings = means.settings();
  }

  @Override
  public Place place() {
    return Place.CONFIGURATION;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/configuration", this::node);
    doors.read("/configuration/kinds/{name}", this::kind);
    doors.read("/configuration/providers/{name}", this::provider);
  }

  private void node(Visit visit) throws IOException {
    List<String> kinds = settings.kinds().stream().map(Kind::name).toList();
    List<String> providers = settings.providers().stream().map(ProviderSettings::name).toList();
    visit.page(
        TEMPLATE,
        "Configuration",
        new ConfigurationView(settings.origin(), NodeParts.of(settings), kinds, providers));
  }

  private void kind(Visit visit) throws IOException {
    Kind kind =
        settings.kinds().stream()
            .filter(each -> each.name().equals(visit.path("name")))
            .findFirst()
            .orElseThrow(Problem::notFound);
    page(visit, "Kind " + kind.name(), KindParts.of(kind, settings.proofRules().get(kind.name())));
  }

  private void provider(Visit visit) throws IOException {
    ProviderSettings provider =
        settings.providers().stream()
            .filter(each -> each.name().equals(visit.path("name")))
            .findFirst()
            .orElseThrow(Problem::notFound);
    page(
        visit,
        "Provider " + provider.name(),
        ProviderParts.of(provider, ProviderTypes.named(provider.type()).orElse(null)));
  }

  private void page(Visit visit, String title, List<Part> parts) throws IOException {
    visit.page(
        TEMPLATE, title, new ConfigurationView(settings.origin(), parts, List.of(), List.of()));
  }
}
