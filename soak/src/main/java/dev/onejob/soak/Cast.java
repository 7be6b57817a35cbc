package dev.onejob.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Who acts in a soak: those who bring load, those who make trouble, those who see to it.
 *
 * @param load stopped second: they wait for what they have begun
 * @param trouble stopped first, so that the load can end
 * @param care goes on until nothing is under way any more
 */
record Cast(List<Actor> load, List<Actor> trouble, List<Actor> care) {
  static Cast of(SoakSettings settings, Stage stage, Recorder recorder) {
    Api clients = new Api(stage.keys().client());
    Api operators = new Api(stage.keys().operator());
    List<Node> nodes = stage.nodes();
    Nodes anyNode = new Nodes(nodes);
    long seed = settings.seed();
    List<Actor> load = new ArrayList<>();
    load.add(new Clients(clients, nodes, recorder, settings));
    load.add(new Impatient(clients, operators, nodes, recorder, seed));
    if (settings.twist() != null) {
      load.addAll(settings.twist().more().actors(stage));
    }
    return new Cast(
        load,
        List.of(new Trouble(stage.ground(), nodes, stage.workers(), recorder, seed)),
        List.of(
            new Operator(
                operators, anyNode, stage.programs(), stage.ground().ledger(), recorder, seed)));
  }

  void start() {
    load.forEach(Actor::start);
    trouble.forEach(Actor::start);
    care.forEach(Actor::start);
  }
}
