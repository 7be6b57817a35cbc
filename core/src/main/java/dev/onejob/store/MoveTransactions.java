package dev.onejob.store;

import dev.onejob.store.Moves.Made;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Transactions that make moves, and tell of them once they are durable. */
final class MoveTransactions {
  private final Sql sql;
  private final Consumer<Made> told;

  MoveTransactions(DataSource database, Consumer<Made> told) {
    this.sql = new Sql(database);
    this.told = told;
  }

  /** Work that gives each of its moves to the consumer. */
  interface Work<T> {
    T in(Connection connection, Consumer<Made> made) throws SQLException;
  }

  private record Done<T>(T result, List<Made> made) {}

  /** As {@link Sql#transaction}; what a repeated try had made before is not told. */
  <T> T run(Work<T> work) {
    Done<T> done =
        sql.transaction(
            connection -> {
              List<Made> made = new ArrayList<>();
              T result = work.in(connection, made::add);
              return new Done<>(result, made);
            });
    done.made().forEach(told);
    return done.result();
  }
}
