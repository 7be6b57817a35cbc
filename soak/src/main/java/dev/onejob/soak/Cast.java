package dev.onejob.soak;

import java.util.List;

/**
 * Who acts in a soak. Whoever comes new, such as workers that pull attempts, is made here: those
 * who bring load first, then those who see to it.
 *
 * @param load stopped first: they wait for what they have begun
 * @param trouble stopped before the load is, so that the load can end
 * @param care goes on until nothing is under way any more
 */
record Cast(List<Actor> load, List<Actor> trouble, List<Actor> care) {
  static Cast of(
      SoakSettings settings, Ground ground, List<Node> nodes, Keys keys, Recorder recorder) {
    Api clients = new Api(keys.client());
    Api operators = new Api(keys.operator());
    return new Cast(
        List.of(
            new Clients(clients, nodes, recorder, settings),
            new Impatient(clients, operators, nodes, recorder, settings.seed())),
        List.of(new Trouble(ground, nodes, recorder, settings.seed())),
        List.of(new Operator(operators, nodes, ground, recorder, settings.seed())));
  }
}
