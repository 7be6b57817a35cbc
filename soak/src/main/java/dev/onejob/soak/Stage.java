package dev.onejob.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All that is on the stage of a soak. */
record Stage(Ground ground, List<Node> nodes, List<Worker> workers, Keys keys) {
  private static final int NODES = 3;
  private static final int WORKERS = 2;

  static String describe() {
    return NODES + " nodes and " + WORKERS + " workers";
  }

  /**
   * Starts nodes and workers.
   *
   * @param started gets each as soon as there is something of it to be closed
   */
  static Stage set(Ground ground, List<Target> started) throws IOException, InterruptedException {
    Api nobody = new Api("none");
    List<Node> nodes = new ArrayList<>();
    for (int i = 1; i <= NODES; i++) {
      Node node = new Node("n" + i, ground);
      nodes.add(node);
      started.add(node);
      node.program().start();
      if (i == 1) {
        node.awaitReady(nobody); // it makes the tables and the keys
      }
    }
    Keys keys = Keys.of(nodes.getFirst());
    List<Worker> workers = new ArrayList<>();
    for (int i = 1; i <= WORKERS; i++) {
      Worker worker = new Worker("w" + i, ground, nodes, keys.worker());
      workers.add(worker);
      started.add(worker);
      worker.program().start();
    }
    Stage stage = new Stage(ground, nodes, workers, keys);
    stage.awaitReady();
    return stage;
  }

  /** Waits until all nodes are well. */
  void awaitReady() throws IOException, InterruptedException {
    Api nobody = new Api("none");
    for (Node node : nodes) {
      node.awaitReady(nobody);
    }
  }

  /** Who may hold attempts. */
  List<Program> programs() {
    return Stream.concat(nodes.stream(), workers.stream()).map(Target::program).toList();
  }
}
