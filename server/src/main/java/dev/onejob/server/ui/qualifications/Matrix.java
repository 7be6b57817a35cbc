package dev.onejob.server.ui.qualifications;

import java.util.List;

/**
 * Kinds against providers, as this node is configured.
 *
 * @param providers on any route of a kind with a contract, in the order of the configuration
 * @param rows a kind with a contract each
 * @param bare the kinds without a contract: nothing of them can be proved
 */
public record Matrix(List<String> providers, List<Row> rows, List<String> bare) {
  /** Copies the lists. */
  public Matrix {
    providers = List.copyOf(providers);
    rows = List.copyOf(rows);
    bare = List.copyOf(bare);
  }

  /** One kind; its cells stand in the order of the providers. */
  public record Row(String kind, List<Cell> cells) {
    /** Copies the list. */
    public Row {
      cells = List.copyOf(cells);
    }
  }
}
