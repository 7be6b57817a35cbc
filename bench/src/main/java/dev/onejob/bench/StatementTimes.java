package dev.onejob.bench;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Stands before a data source and keeps how long its slowest statement lasted, commits included.
 */
final class StatementTimes {
  private final AtomicLong longestNanos = new AtomicLong();
  private final AtomicLong statements = new AtomicLong();

  Duration longest() {
    return Duration.ofNanos(longestNanos.get());
  }

  long statements() {
    return statements.get();
  }

  DataSource of(DataSource database) {
    return before(DataSource.class, database);
  }

  private <T> T before(Class<T> type, T target) {
    InvocationHandler timed =
        (proxy, method, arguments) -> {
          boolean measured =
              method.getName().startsWith("execute") || method.getName().equals("commit");
          long from = System.nanoTime();
          try {
            Object result = method.invoke(target, arguments);
            if (method.getName().equals("unwrap")) {
              return result; // who unwraps wants the driver's own
            }
            return switch (result) {
              case Connection connection -> before(Connection.class, connection);
              case PreparedStatement statement -> before(PreparedStatement.class, statement);
              case null -> null;
              default -> result;
            };
          } catch (InvocationTargetException e) {
            throw e.getCause();
          } finally {
            if (measured) {
              statements.incrementAndGet();
              longestNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
            }
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, timed));
  }
}
