package dev.onejob.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import javax.sql.DataSource;

/**
 * A way to a database on which something happens between a statement, done and committed, and the
 * reading of its answer.
 */
final class AfterStatements {
  /** What every text that starts attempts contains, and no other. */
  static final String START = "INSERT INTO onejob.attempt";

  /** What every text that makes jobs contains, whether they start at once or not. */
  static final String BIRTH = "INSERT INTO onejob.job (";

  /** What the text contains that takes over what is watched on, and no other. */
  static final String WATCH_ON = "WITH lapsed AS (";

  private AfterStatements() {}

  /**
   * Wraps it.
   *
   * @param part of the texts after which it happens
   * @param then runs in the thread that has the statement done; what it throws is the answer
   */
  static DataSource over(DataSource database, String part, Runnable then) {
    return around(
        DataSource.class,
        database,
        (method, arguments, result) ->
            result instanceof Connection connection ? connection(connection, part, then) : result);
  }

  private static Connection connection(Connection real, String part, Runnable then) {
    return around(
        Connection.class,
        real,
        (method, arguments, result) ->
            result instanceof PreparedStatement statement
                    && arguments[0] instanceof String text
                    && text.contains(part)
                ? statement(statement, then)
                : result);
  }

  private static PreparedStatement statement(PreparedStatement real, Runnable then) {
    return around(
        PreparedStatement.class,
        real,
        (method, arguments, result) -> {
          if (method.startsWith("execute")) {
            then.run();
          }
          return result;
        });
  }

  private interface Answer {
    Object of(String method, Object[] arguments, Object result);
  }

  private static <T> T around(Class<T> type, T real, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            AfterStatements.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return answer.of(method.getName(), arguments, method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
