package dev.onejob.server.access;

import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** The API keys of a deployment. Safe for many threads and many nodes. */
public final class ApiKeys {
  /** How long after its withdrawal a key may still open doors on other nodes. */
  public static final Duration WITHDRAWAL_LAG_MAX = Duration.ofSeconds(5);

  /** Most keys in a list: those in use first, and the newest first among them. */
  public static final int LIST_MAX = 1_000;

  private final DataSource database;
  private final CredentialCache cache;
  private final Map<ByteBuffer, CompletableFuture<Optional<Credential>>> lookUps =
      new ConcurrentHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /** Keys in the given database, whose schema {@code onejob_server} is up to date. */
  public ApiKeys(DataSource database) {
    this(database, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  public ApiKeys(DataSource database, LongSupplier nanos) {
    this.database = database;
    this.cache = new CredentialCache(nanos);
  }

  /**
   * Makes a key.
   *
   * @throws IllegalArgumentException if the name has not 1 to 64 characters, or the owner is one
   *     that the service itself acts for
   */
  public NewKey create(String name, Role role, Owner owner) {
    requireName(name);
    requireFree(owner);
    try (Connection connection = database.getConnection()) {
      return insert(connection, name, role, owner);
    } catch (SQLException e) {
      throw new KeysUnavailable("an API key could not be made", e);
    }
  }

  /** How the record of a decision names a rule of a kind, in the place of a key. */
  private static final String RULE = "rule:";

  private static void requireName(String name) {
    int chars = name.codePointCount(0, name.length());
    if (chars < 1 || chars > Limits.NAME_CHARS_MAX || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the name of a key has 1 to " + Limits.NAME_CHARS_MAX + " characters, none of them NUL");
    }
    if (name.startsWith(RULE)) {
      throw new IllegalArgumentException(
          "the name of a key does not begin with " + RULE + ": decisions of rules are kept so");
    }
  }

  /**
   * An owner that a key may be for.
   *
   * @throws IllegalArgumentException if only the service itself acts for it
   */
  public static Owner requireFree(Owner owner) {
    if (owner.isReserved()) {
      throw new IllegalArgumentException(
          "an owner does not begin with " + Owner.RESERVED + ": the service itself acts for those");
    }
    return owner;
  }

  private static final String FIND =
      """
      SELECT id, name, role, owner
        FROM onejob_server.api_key
       WHERE secret_sha256 = ? AND withdrawn_at IS NULL
      """;

  /**
   * Whose secret this is; empty if nobody's, or of a key that was withdrawn at least {@link
   * #WITHDRAWAL_LAG_MAX} ago.
   */
  public Optional<Credential> find(String secret) {
    if (!Secrets.hasForm(secret)) {
      return Optional.empty();
    }
    byte[] digest = Secrets.sha256(secret);
    Optional<Credential> known = cache.find(digest, WITHDRAWAL_LAG_MAX);
    return known.isPresent() ? known : lookUp(ByteBuffer.wrap(digest));
  }

  /**
   * One look-up of a key at a time; whoever comes meanwhile shares its answer, and its failure. All
   * callers of a busy key would else ask for a connection at once whenever the cache has run out.
   */
  private Optional<Credential> lookUp(ByteBuffer digest) {
    CompletableFuture<Optional<Credential>> own = new CompletableFuture<>();
    CompletableFuture<Optional<Credential>> first = lookUps.putIfAbsent(digest, own);
    if (first != null) {
      return shared(first);
    }
    try {
      Optional<Credential> found = lookUp(digest.array());
      own.complete(found);
      return found;
    } catch (RuntimeException | Error e) {
      own.completeExceptionally(e);
      throw e;
    } finally {
      lookUps.remove(digest, own);
    }
  }

  private static Optional<Credential> shared(CompletableFuture<Optional<Credential>> first) {
    try {
      return first.join();
    } catch (CompletionException e) {
      throw new KeysUnavailable("an API key could not be looked up", e);
    }
  }

  private Optional<Credential> lookUp(byte[] digest) {
    long readAtNanos = cache.now();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(FIND)) {
      select.setBytes(1, digest);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          return Optional.empty();
        }
        Credential credential =
            new Credential(
                rows.getObject("id", UUID.class),
                rows.getString("name"),
                Role.of(rows.getString("role")),
                new Owner(rows.getString("owner")));
        if (credential.owner().isReserved()) {
          return Optional.empty(); // made before such owners were refused: it opens nothing
        }
        cache.remember(digest, credential, readAtNanos);
        return Optional.of(credential);
      }
    } catch (SQLException e) {
      throw new KeysUnavailable("an API key could not be looked up", e);
    }
  }

  private static final String LIST =
      """
      SELECT id, name, role, owner, created_at, withdrawn_at
        FROM onejob_server.api_key
       ORDER BY withdrawn_at IS NOT NULL, created_at DESC, id
       LIMIT ?
      """;

  /** The keys, at most {@link #LIST_MAX}: those in use first, then the newest first. */
  public List<ApiKey> list() {
    List<ApiKey> keys = new ArrayList<>();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LIST)) {
      select.setInt(1, LIST_MAX);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          keys.add(read(rows));
        }
      }
    } catch (SQLException e) {
      throw new KeysUnavailable("the API keys could not be listed", e);
    }
    return keys;
  }

  private static final String LOCK_BOTH =
      """
      SELECT k.id, k.withdrawn_at IS NOT NULL AS withdrawn
        FROM onejob_server.api_key AS k
       WHERE k.id IN (?, ?)
       ORDER BY k.id
         FOR NO KEY UPDATE
      """;

  /** What came of withdrawing a key. */
  public enum Withdrawal {
    /** It is withdrawn, by this or before. */
    DONE,
    /** There is none of that id. */
    NO_KEY,
    /** Nothing was done: the key that it was to be withdrawn with is withdrawn itself. */
    BY_NO_KEY
  }

  private static final String WITHDRAW =
      """
      UPDATE onejob_server.api_key
         SET withdrawn_at = coalesce(withdrawn_at, clock_timestamp())
       WHERE id = ?
      """;

  /**
   * Withdraws a key: at once on this node, within {@link #WITHDRAWAL_LAG_MAX} on every other.
   * Withdrawing it again changes nothing. Of two keys that withdraw each other at once one does, on
   * whichever nodes: so the last one stays.
   *
   * @param by another key, with which it is done
   */
  public Withdrawal withdraw(UUID id, UUID by) {
    if (id.equals(by)) {
      throw new IllegalArgumentException("no key withdraws itself");
    }
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Withdrawal withdrawal = withdraw(connection, id, by);
        connection.commit();
        cache.forget(id);
        lookUps.clear(); // who asks from now on shares no answer from before
        return withdrawal;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new KeysUnavailable("an API key could not be withdrawn", e);
    }
  }

  /** Both rows are locked, in one order for all, before either is looked at. */
  private static Withdrawal withdraw(Connection connection, UUID id, UUID by) throws SQLException {
    Map<UUID, Boolean> withdrawn = new HashMap<>();
    try (PreparedStatement lock = connection.prepareStatement(LOCK_BOTH)) {
      lock.setObject(1, id);
      lock.setObject(2, by);
      try (ResultSet rows = lock.executeQuery()) {
        while (rows.next()) {
          withdrawn.put(rows.getObject("id", UUID.class), rows.getBoolean("withdrawn"));
        }
      }
    }
    if (withdrawn.getOrDefault(by, true)) {
      return Withdrawal.BY_NO_KEY;
    }
    if (!withdrawn.containsKey(id)) {
      return Withdrawal.NO_KEY;
    }
    try (PreparedStatement update = connection.prepareStatement(WITHDRAW)) {
      update.setObject(1, id);
      update.executeUpdate();
    }
    return Withdrawal.DONE;
  }

  private static final String LOCK =
      """
      LOCK TABLE onejob_server.api_key IN SHARE ROW EXCLUSIVE MODE
      """;

  private static final String ANY =
      """
      SELECT EXISTS (SELECT FROM onejob_server.api_key)
      """;

  /**
   * Makes one operator and one client key if there has never been a key. Of many nodes that start
   * at once on one database exactly one gets them.
   *
   * @param keep puts them where they are found again, before they open anything; if it throws,
   *     there are none
   */
  public Optional<FirstKeys> createFirst(Owner owner, Consumer<FirstKeys> keep) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Optional<FirstKeys> keys = insertFirst(connection, owner);
        keys.ifPresent(keep);
        connection.commit();
        return keys;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new KeysUnavailable("the first API keys could not be made", e);
    }
  }

  /** The lock comes first, in a statement of its own: the look after it sees what others did. */
  private Optional<FirstKeys> insertFirst(Connection connection, Owner owner) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK);
      try (ResultSet rows = statement.executeQuery(ANY)) {
        rows.next();
        if (rows.getBoolean(1)) {
          return Optional.empty();
        }
      }
    }
    NewKey operator = insert(connection, "first-operator", Role.OPERATOR, owner);
    NewKey client = insert(connection, "first-client", Role.CLIENT, owner);
    return Optional.of(new FirstKeys(operator.secret(), client.secret()));
  }

  private static final String INSERT =
      """
      INSERT INTO onejob_server.api_key (id, name, role, owner, secret_sha256)
      VALUES (?, ?, ?, ?, ?)
      RETURNING id, name, role, owner, created_at, withdrawn_at
      """;

  private NewKey insert(Connection connection, String name, Role role, Owner owner)
      throws SQLException {
    String secret = Secrets.next(random);
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, UUID.randomUUID());
      insert.setString(2, name);
      insert.setString(3, role.word());
      insert.setString(4, owner.value());
      insert.setBytes(5, Secrets.sha256(secret));
      try (ResultSet rows = insert.executeQuery()) {
        rows.next();
        return new NewKey(read(rows), secret);
      }
    }
  }

  private static ApiKey read(ResultSet rows) throws SQLException {
    OffsetDateTime withdrawnAt = rows.getObject("withdrawn_at", OffsetDateTime.class);
    return new ApiKey(
        rows.getObject("id", UUID.class),
        rows.getString("name"),
        Role.of(rows.getString("role")),
        new Owner(rows.getString("owner")),
        rows.getObject("created_at", OffsetDateTime.class).toInstant(),
        withdrawnAt == null ? null : withdrawnAt.toInstant());
  }
}
