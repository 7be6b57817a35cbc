package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.Kind;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.qualification.Scope;
import dev.onejob.server.ui.qualifications.Cell.LastRun;
import dev.onejob.server.ui.qualifications.Cell.Pass;
import dev.onejob.server.ui.qualifications.Cell.Spot;
import dev.onejob.server.ui.qualifications.QualificationReader.Pair;
import dev.onejob.server.ui.qualifications.QualificationReader.Wanted;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What is known of the providers of this node's kinds. */
final class Cells {
  private final Scope scope;
  private final QualificationReader reader;

  /** The kinds in the order of the configuration, without those of the service itself. */
  private final List<Kind> kinds;

  Cells(Scope scope, Collection<Kind> kinds, QualificationReader reader) {
    this.scope = scope;
    this.kinds = List.copyOf(kinds);
    this.reader = reader;
  }

  /** All of them. */
  Matrix matrix() throws SQLException {
    List<Kind> contracted = kinds.stream().filter(this::contracted).toList();
    List<String> providers =
        contracted.stream().flatMap(kind -> kind.route().stream()).distinct().toList();
    List<Pair> pairs =
        contracted.stream()
            .flatMap(kind -> kind.route().stream().map(each -> new Pair(kind.name(), each)))
            .toList();
    Known known = known(pairs);
    return new Matrix(
        providers,
        contracted.stream()
            .map(
                kind ->
                    new Matrix.Row(
                        kind.name(),
                        providers.stream()
                            .map(each -> cell(new Pair(kind.name(), each), known))
                            .toList()))
            .toList(),
        kinds.stream().filter(kind -> !contracted(kind)).map(Kind::name).toList());
  }

  private boolean contracted(Kind kind) {
    return scope.promises().containsKey(kind.name());
  }

  /**
   * One of them.
   *
   * @throws dev.onejob.server.http.problem.ProblemException if this node knows no such kind or
   *     provider
   */
  Cell cell(Pair pair) throws SQLException {
    Kind kind = scope.kinds().get(pair.kind());
    boolean known =
        kind != null
            && (kind.route().contains(pair.provider())
                || scope.providers().containsKey(pair.provider()));
    if (!known) {
      throw Problem.notFound();
    }
    return cell(pair, known(List.of(pair)));
  }

  /** The providers on the route of a kind; empty if this node does not know it. */
  List<String> route(String kind) {
    Kind known = scope.kinds().get(kind);
    return known == null ? List.of() : known.route();
  }

  private record Known(Map<Pair, LastRun> runs, Map<Pair, Pass> passes) {}

  private Known known(List<Pair> pairs) throws SQLException {
    return new Known(
        reader.newestRuns(pairs),
        reader.passes(pairs.stream().map(each -> new Wanted(each, binding(each))).toList()));
  }

  private String binding(Pair pair) {
    return scope.unusable(pair.kind(), pair.provider()).isPresent()
        ? ""
        : scope.binding(pair.kind(), pair.provider()).digest();
  }

  private Cell cell(Pair pair, Known known) {
    return new Cell(
        pair.kind(),
        pair.provider(),
        spot(pair),
        scope.unusable(pair.kind(), pair.provider()).orElse(null),
        known.passes().get(pair),
        known.runs().get(pair));
  }

  private Spot spot(Pair pair) {
    int at = route(pair.kind()).indexOf(pair.provider());
    return switch (at) {
      case -1 -> Spot.NOT_ON_ROUTE;
      case 0 -> Spot.FIRST;
      default -> Spot.FALLBACK;
    };
  }
}
