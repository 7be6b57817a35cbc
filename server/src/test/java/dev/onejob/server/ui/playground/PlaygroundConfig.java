package dev.onejob.server.ui.playground;

/** A configuration with a playground. */
final class PlaygroundConfig {
  static final String OPEN =
      """
      kinds:
        demo: {route: [sandbox-a]}
      providers:
        sandbox-a: {type: sandbox}
      ui:
        playground: true
      """;

  private PlaygroundConfig() {}
}
