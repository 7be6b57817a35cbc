package dev.onejob.engine;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the group commit is measured against: every item is a transaction of its own, on whatever
 * connection the pool has. It has the name of the class that it stands in for and lies in front of
 * it on the class path of one measured server; everything else of that server is the product's.
 */
final class GroupCommit<T, R> {
  private final Function<List<T>, List<R>> batch;

  GroupCommit(Function<T, Object> subject, Function<List<T>, List<R>> batch) {
    this.batch = batch;
  }

  GroupCommit(
      int flightsMax,
      Function<T, Object> subject,
      Function<List<T>, List<R>> batch,
      ToIntFunction<T> bytes) {
    this(subject, batch);
  }

  GroupCommit(
      int flightsMax,
      Function<T, Object> sort,
      Function<T, Object> subject,
      Function<List<T>, List<R>> batch,
      ToIntFunction<T> bytes) {
    this(subject, batch);
  }

  R submit(T item) {
    return batch.apply(List.of(item)).getFirst();
  }

  int gathered() {
    return 0;
  }
}
