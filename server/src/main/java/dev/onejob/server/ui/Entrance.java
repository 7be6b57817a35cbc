package dev.onejob.server.ui;

import dev.onejob.server.access.Session;
import dev.onejob.server.access.Sessions;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Shares;
import dev.onejob.server.ui.page.Turns;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * Finds out who comes, and gives them room for what may wait for the database: each API key has its
 * share of it, and whoever shows a session that this node does not know waits at the door.
 */
final class Entrance {
  /** Most requests for pages at once, live ones apart; each may wait for a connection. */
  private static final int REQUESTS_MAX = 64;

  /** Requests of one key that wait for their turn. */
  private static final int WAITING_MAX = 60;

  /** Look-ups for strangers that wait for theirs: one takes a millisecond. */
  private static final int STRANGERS_WAITING_MAX = 2_000;

  /** People wait for a page; longer than this they try again. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Sessions sessions;
  private final Semaphore room = new Semaphore(REQUESTS_MAX);
  private final Turns strangers = new Turns(new Turns.Bounds(1, STRANGERS_WAITING_MAX, PATIENCE));
  private final Shares shares;

  /**
   * An entrance.
   *
   * @param connections of the pages' pool: no key gets hold of the last one
   */
  Entrance(Sessions sessions, int connections) {
    this.sessions = sessions;
    int each = Math.max(1, connections - 1);
    this.shares = new Shares(new Turns.Bounds(each, WAITING_MAX, PATIENCE));
  }

  /** What is done for whoever comes. */
  interface Work<T> {
    /**
     * Does it.
     *
     * @param session empty: nobody has logged in; nothing is done then that waits for the database
     */
    T with(Optional<Session> session) throws Exception;
  }

  /**
   * Lets somebody in.
   *
   * @throws ProblemException if there is no room, or their key has used up its share
   */
  <T> T admit(Context ctx, Work<T> work) throws Exception {
    Optional<UUID> met = SessionCookie.metKey(ctx, sessions);
    if (met.isPresent()) {
      return inShare(met.get(), () -> work.with(SessionCookie.session(ctx, sessions)));
    }
    Optional<Session> found = ofStranger(ctx);
    return found.isPresent()
        ? inShare(found.get().who().id(), () -> work.with(found))
        : work.with(found);
  }

  /** One look-up at a time: cookies that somebody has made up take one connection at most. */
  private Optional<Session> ofStranger(Context ctx) throws Exception {
    if (!SessionCookie.isThere(ctx)) {
      return Optional.empty();
    }
    return strangers.during(() -> SessionCookie.session(ctx, sessions), Entrance::overloaded);
  }

  private <T> T inShare(UUID key, Callable<T> work) throws Exception {
    return shares.during(key, () -> inRoom(work), Entrance::shareUsed);
  }

  /**
   * Does what may wait for the database.
   *
   * @throws ProblemException if there is no room
   */
  <T> T inRoom(Callable<T> work) throws Exception {
    if (!room.tryAcquire()) {
      throw overloaded();
    }
    try {
      return work.call();
    } finally {
      room.release();
    }
  }

  private static ProblemException shareUsed() {
    return refused("Requests with this API key use up its share of this node already; try again.");
  }

  private static ProblemException overloaded() {
    return refused("This node shows many pages already; try again.");
  }

  private static ProblemException refused(String why) {
    return Problem.of(ProblemType.OVERLOADED, why).withHeader("Retry-After", "1").asException();
  }
}
