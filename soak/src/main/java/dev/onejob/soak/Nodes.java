package dev.onejob.soak;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The way in of somebody who comes back at once through another node: an operator. */
final class Nodes {
  private final List<Node> nodes;
  private final AtomicInteger turn = new AtomicInteger();

  Nodes(List<Node> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  /** A node that is neither dead nor frozen, if there is one; each in its turn. */
  URI next() {
    for (int i = 1; i < nodes.size(); i++) {
      Node node = node();
      if (node.program().condition() == Program.Condition.UP) {
        return node.uri();
      }
    }
    return node().uri();
  }

  private Node node() {
    return nodes.get(Math.floorMod(turn.getAndIncrement(), nodes.size()));
  }
}
