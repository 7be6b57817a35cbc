package dev.onejob.bench;

import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A whole node of the product, in a process of its own, whose providers answer at once. It says
 * where it listens, and stops when its standard input ends.
 */
public final class PagesNode {
  /** Of the jobs that {@link PastJobs} makes, and of the ones that are run. */
  private static final String CONFIG =
      """
      kinds:
        chat: {effect: harmless, route: [model-a, model-b]}
        image: {effect: harmless, route: [studio-a, studio-b]}
        report: {effect: harmless, route: [model-b, model-a]}
        payment: {effect: exclusive, route: [bank-a, bank-b]}
        video: {effect: exclusive, route: [studio-a, studio-b]}
        export: {effect: harmless, route: [archive, bank-b]}
        parcel: {effect: exclusive, route: [model-a, model-b], contract: parcel.yaml}
      providers:
        model-a: {type: no-op, in_flight: 64, price: {currency: EUR, per_call: 0.0042}}
        model-b: {type: no-op, in_flight: 64}
        studio-a: {type: no-op, in_flight: 64}
        studio-b: {type: no-op, in_flight: 64}
        bank-a: {type: no-op, in_flight: 64}
        bank-b: {type: no-op, in_flight: 64}
        archive: {type: no-op, in_flight: 64}
      ui: {playground: true}
      log: {level: warn}
      """;

  private static final String CONTRACT =
      """
      contract: parcel
      version: 1
      answer: json
      output: {"type":"object","required":["parcel"],"properties":{"parcel":{"type":"string"},
        "grams":{"type":"integer"}}}
      samples:
        - name: small
          input: {"parcel": "a box", "grams": 700}
        - name: large
          input: {"parcel": "two crates", "grams": 70000}
      """;

  private PagesNode() {}

  /**
   * Starts.
   *
   * @param args the JDBC address and a folder of its own
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectories(Path.of(args[1]));
    Files.writeString(folder.resolve("parcel.yaml"), CONTRACT);
    Path file = Files.writeString(folder.resolve("onejob.yaml"), CONFIG);
    List<ProviderType> types =
        Stream.concat(ProviderTypes.ALL.stream(), Stream.of(new NoOpType())).toList();
    Overrides overrides = new Overrides(args[0], null, 0, folder.resolve("node"), "node-1");
    try (Service service =
        Service.start(
            new SettingsLoader(types, name -> null, folder).load(file).with(overrides),
            types,
            name -> null)) {
      String secret = service.firstKeys().orElseThrow().keys().operator();
      System.out.println(service.uri().getPort() + " " + secret);
      SubmitServer.awaitEndOfInput();
    }
  }
}
