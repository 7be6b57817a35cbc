package dev.onejob.store;

import java.sql.SQLException;

/**
 * The database could not do what was asked. Whether it was done is known only where the subclass
 * says so.
 */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String sqlState;

  StoreException(SQLException cause) {
    super(cause.getMessage(), cause);
    this.sqlState = cause.getSQLState() == null ? "" : cause.getSQLState();
  }

  static StoreException of(SQLException cause) {
    return "55P03".equals(cause.getSQLState()) ? new LockTimeout(cause) : new StoreException(cause);
  }

  /** The SQLSTATE, or an empty string where there is none. */
  public String sqlState() {
    return sqlState;
  }

  /** Whether the row itself is at fault (SQLSTATE classes 22 and 23), not the connection. */
  public boolean blamesTheRow() {
    return sqlState.startsWith("22") || sqlState.startsWith("23");
  }

  /** No connection was to be had: the work did not begin. What was done before it stays done. */
  public static final class NotConnected extends StoreException {
    private static final long serialVersionUID = 1L;

    NotConnected(SQLException cause) {
      super(cause);
    }
  }

  /** A lock was not to be had in time: somebody else holds the job or the key. Nothing was done. */
  public static final class LockTimeout extends StoreException {
    private static final long serialVersionUID = 1L;

    LockTimeout(SQLException cause) {
      super(cause);
    }
  }
}
