package dev.onejob.server.access;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Session.Transport;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The sessions of the dashboard, kept in PostgreSQL for all nodes. Only the database's clock judges
 * their age. Safe for many threads.
 */
public final class Sessions {
  private static final int TOKEN_BYTES = 32;
  private static final int TOKEN_CHARS = 43;

  /** Most sessions of one API key; one more ends the oldest. */
  static final int PER_KEY_MAX = 50;

  /** A session is marked as in use this often in its idle time: one write in many requests. */
  private static final int MARKS_PER_IDLE_TIME = 20;

  private final DataSource database;
  private final Duration idle;
  private final Duration longest;
  private final SecureRandom random = new SecureRandom();
  private final MetSessions met = new MetSessions();

  /**
   * Sessions in the given database, whose schema {@code onejob_server} is up to date.
   *
   * @param idle how long a session lasts without a request of its person
   * @param longest how long it lasts at most
   */
  public Sessions(DataSource database, Duration idle, Duration longest) {
    this.database = database;
    this.idle = idle;
    this.longest = longest;
  }

  private static final String CLEAR =
      """
      DELETE FROM onejob_server.ui_session AS s
       WHERE s.ends_at <= clock_timestamp()
          OR s.token_sha256 IN (
               SELECT o.token_sha256
                 FROM onejob_server.ui_session AS o
                WHERE o.api_key_id = ?
                ORDER BY o.created_at DESC
               OFFSET ?)
      """;

  private static final String INSERT =
      """
      INSERT INTO onejob_server.ui_session (token_sha256, api_key_id, transport, ends_at)
      VALUES (?, ?, ?, clock_timestamp() + ? * INTERVAL '1 millisecond')
      """;

  /**
   * Makes a session, and clears away those that are over.
   *
   * @return its token: known to nobody else, and kept nowhere
   * @throws KeysUnavailable if the database does not answer
   */
  public String create(Credential who, Transport transport) {
    byte[] bits = new byte[TOKEN_BYTES];
    random.nextBytes(bits);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    try (Connection connection = database.getConnection()) {
      try (PreparedStatement clear = connection.prepareStatement(CLEAR)) {
        clear.setObject(1, who.id());
        clear.setInt(2, PER_KEY_MAX - 1);
        clear.executeUpdate();
      }
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        insert.setBytes(1, Secrets.sha256(token));
        insert.setObject(2, who.id());
        insert.setString(3, word(transport));
        insert.setLong(4, longest.toMillis());
        insert.executeUpdate();
      }
      met.met(id(Secrets.sha256(token)), who.id());
      return token;
    } catch (SQLException e) {
      throw new KeysUnavailable("a session could not be made", e);
    }
  }

  private static final String FIND =
      """
      SELECT k.id, k.name, k.role, k.owner, s.transport
        FROM onejob_server.ui_session AS s
        JOIN onejob_server.api_key AS k ON k.id = s.api_key_id
       WHERE s.token_sha256 = ?
         AND k.withdrawn_at IS NULL
         AND s.ends_at > clock_timestamp()
         AND s.seen_at > clock_timestamp() - ? * INTERVAL '1 millisecond'
      """;

  /**
   * Whose token this is; empty if the session is over, was ended, or its API key was withdrawn.
   *
   * @throws KeysUnavailable if the database does not answer
   */
  public Optional<Session> find(String token) {
    if (!isToken(token)) {
      return Optional.empty();
    }
    byte[] digest = Secrets.sha256(token);
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      select.setBytes(1, digest);
      select.setLong(2, idle.toMillis());
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          met.gone(id(digest));
          return Optional.empty();
        }
        Session session = read(rows, token, digest);
        met.met(session.id(), session.who().id());
        return Optional.of(session);
      }
    } catch (SQLException e) {
      throw new KeysUnavailable("a session could not be looked up", e);
    }
  }

  /** Whether this can be a token at all; what cannot is never looked up. */
  public static boolean isToken(String token) {
    return token.length() == TOKEN_CHARS;
  }

  /**
   * The API key that this token was of when this node met it last, without asking the database;
   * empty if it has not. It opens nothing: it tells whose share a look-up is.
   */
  public Optional<UUID> metKeyOf(String token) {
    return isToken(token) ? met.keyOf(id(Secrets.sha256(token))) : Optional.empty();
  }

  private static String id(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  private static Session read(ResultSet rows, String token, byte[] digest) throws SQLException {
    return new Session(
        id(digest),
        new Credential(
            rows.getObject("id", UUID.class),
            rows.getString("name"),
            Role.of(rows.getString("role")),
            new Owner(rows.getString("owner"))),
        csrf(token),
        Transport.valueOf(rows.getString("transport").toUpperCase(Locale.ROOT)));
  }

  private static final String MARK =
      """
      UPDATE onejob_server.ui_session
         SET seen_at = clock_timestamp()
       WHERE token_sha256 = ?
         AND seen_at < clock_timestamp() - ? * INTERVAL '1 millisecond'
      """;

  /**
   * Notes that its person is there: the idle time begins anew.
   *
   * @throws KeysUnavailable if the database does not answer
   */
  public void mark(Session session) {
    try (Connection connection = database.getConnection();
        PreparedStatement update = connection.prepareStatement(MARK)) {
      update.setBytes(1, HexFormat.of().parseHex(session.id()));
      update.setLong(2, idle.dividedBy(MARKS_PER_IDLE_TIME).toMillis());
      update.executeUpdate();
    } catch (SQLException e) {
      throw new KeysUnavailable("a session could not be kept", e);
    }
  }

  private static final String END =
      """
      DELETE FROM onejob_server.ui_session WHERE token_sha256 = ?
      """;

  /**
   * Ends a session on every node.
   *
   * @throws KeysUnavailable if the database does not answer
   */
  public void end(Session session) {
    try (Connection connection = database.getConnection();
        PreparedStatement delete = connection.prepareStatement(END)) {
      delete.setBytes(1, HexFormat.of().parseHex(session.id()));
      delete.executeUpdate();
      met.gone(session.id());
    } catch (SQLException e) {
      throw new KeysUnavailable("a session could not be ended", e);
    }
  }

  /** Made from the token, which only the browser has; the digest that is stored tells nothing. */
  private static String csrf(String token) {
    return HexFormat.of().formatHex(Secrets.sha256("csrf:" + token));
  }

  private static String word(Transport transport) {
    return transport.name().toLowerCase(Locale.ROOT);
  }
}
