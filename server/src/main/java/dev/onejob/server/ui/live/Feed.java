package dev.onejob.server.ui.live;

import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.server.access.Session;
import dev.onejob.server.http.operation.Acts;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells all open pages of this node when to look again. However many there are, the database is
 * asked two small questions a second, and none while nobody watches. Safe for many threads.
 */
public final class Feed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

  /** Between two looks, in milliseconds. */
  private static final long LOOK_MILLIS = 1_000;

  /** Pages about everything look at most at every second look: on a busy service all changes. */
  private static final int LOOKS_PER_TELLING = 2;

  /**
   * Whoever sees only their own hears this steadily that they may look, in looks: whether others
   * have written is not theirs to know.
   */
  private static final int LOOKS_PER_TICK = 4;

  /** Most live pages of one API key: people show few at once, and hidden ones let go. */
  private static final int PER_KEY_MAX = 32;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final Set<Subscription> open = new LinkedHashSet<>();
  private final Map<JobId, String> marks = new HashMap<>();
  private final Changes changes;
  private final int most;
  private Changes.@Nullable Written written;
  private int looks;
  private int opened;
  private boolean failed;
  private boolean closed;
  private @Nullable Thread thread;

  /**
   * A feed that looks nowhere yet.
   *
   * @param database the small pool of pages
   * @param most live pages at once
   */
  public Feed(DataSource database, int most) {
    this.changes = new Changes(database);
    this.most = most;
  }

  /** Starts to look, whenever somebody watches. */
  public void start() {
    thread = Thread.ofVirtual().name("onejob-pages-feed").start(this::run);
  }

  /** Whether this topic is there, and within reach. */
  boolean covers(Access reach, Topic topic) throws SQLException {
    return switch (topic) {
      case Topic.Everything everything -> true;
      case Topic.Overview overview -> true;
      case Topic.OneJob job -> changes.owner(job.id()).filter(reach::covers).isPresent();
    };
  }

  /**
   * Begins to watch; empty if there is no room. A key that has as many live pages as it may have
   * loses the oldest: browsers that vanish without a word hold theirs for a while.
   */
  Optional<Subscription> watch(Topic topic, Session session) {
    UUID key = session.who().id();
    lock.lock();
    try {
      List<Subscription> ofKey =
          open.stream().filter(each -> each.session().who().id().equals(key)).toList();
      boolean full = ofKey.size() >= PER_KEY_MAX;
      if (closed || (open.size() >= most && !full)) {
        return Optional.empty();
      }
      if (full) {
        Subscription oldest = ofKey.getFirst();
        open.remove(oldest); // at once: its own thread may be stuck at a line that takes nothing
        oldest.end();
      }
      Subscription subscription =
          new Subscription(topic, session, new Pace(opened++), this::forget);
      open.add(subscription);
      wanted.signalAll();
      return Optional.of(subscription);
    } finally {
      lock.unlock();
    }
  }

  private void forget(Subscription subscription) {
    lock.lock();
    try {
      open.remove(subscription);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the live pages of a session that is over. */
  public void endOf(String session) {
    watching().stream()
        .filter(each -> each.session().id().equals(session))
        .forEach(Subscription::end);
  }

  private void run() {
    try {
      while (waitForWatchers()) {
        lookOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      endAll(); // no page may say that it is live while nobody looks
    }
  }

  private boolean waitForWatchers() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && open.isEmpty()) {
        written = null; // what was written meanwhile is no news to whoever comes
        wanted.await();
      }
      long nanos = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
      while (!closed && nanos > 0) {
        nanos = wanted.awaitNanos(nanos);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** One look, by the only thread that looks. */
  private void lookOnce() {
    List<Subscription> watching = watching();
    try {
      looks++;
      News news = news(watching);
      Set<JobId> moved = movedJobs(watching);
      for (Subscription each : watching) {
        // Between a page and the first look something may be new: the page looks again once.
        if (failed || each.isNew() || isNews(each, news, moved)) {
          each.tell();
        }
      }
      failed = false;
    } catch (SQLException | RuntimeException | Error e) { // none of them may end the thread
      boolean first = !failed;
      failed = true;
      if (first) {
        LOG.warn("live pages cannot look for changes; they will be told when it works again", e);
      }
    }
  }

  private List<Subscription> watching() {
    lock.lock();
    try {
      return List.copyOf(open);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What a look has found.
   *
   * @param anything whether any row was written
   * @param moves whether one was that nodes do not just count into
   */
  private record News(boolean anything, boolean moves) {
    static final News NONE = new News(false, false);
  }

  private boolean isNews(Subscription each, News news, Set<JobId> moved) {
    boolean own = !seesAll(each);
    return switch (each.topic()) {
      case Topic.Everything everything -> own ? isTick() : each.pace().tellsAfter(news.moves());
      case Topic.Overview overview -> own ? isTick() : each.pace().tellsAfter(news.anything());
      case Topic.OneJob job -> moved.contains(job.id());
    };
  }

  private boolean isTick() {
    return looks % LOOKS_PER_TICK == 0;
  }

  private static boolean seesAll(Subscription each) {
    return Acts.reach(each.session().who()).owner() == null;
  }

  private News news(List<Subscription> watching) throws SQLException {
    boolean asked =
        watching.stream().anyMatch(each -> seesAll(each) && job(each.topic()).findAny().isEmpty());
    if (!asked || looks % LOOKS_PER_TELLING != 0) {
      return News.NONE;
    }
    Changes.Written before = written;
    Changes.Written now = changes.written();
    written = now;
    return before == null // the first look tells: between page and look something may be new
        ? new News(true, true)
        : new News(now.all() != before.all(), now.moves() != before.moves());
  }

  private Set<JobId> movedJobs(List<Subscription> watching) throws SQLException {
    Set<JobId> jobs =
        watching.stream().flatMap(each -> job(each.topic())).collect(Collectors.toSet());
    marks.keySet().retainAll(jobs);
    if (jobs.isEmpty()) {
      return Set.of();
    }
    Map<JobId, String> now = changes.marks(jobs);
    Set<JobId> moved =
        jobs.stream()
            .filter(job -> !String.valueOf(now.get(job)).equals(marks.get(job)))
            .collect(Collectors.toSet());
    jobs.forEach(job -> marks.put(job, String.valueOf(now.get(job))));
    return moved;
  }

  private static Stream<JobId> job(Topic topic) {
    return switch (topic) {
      case Topic.Everything everything -> Stream.empty();
      case Topic.Overview overview -> Stream.empty();
      case Topic.OneJob job -> Stream.of(job.id());
    };
  }

  /** Ends every live page, and looks no more. */
  @Override
  public void close() {
    endAll();
    try {
      if (thread != null) {
        thread.join(TimeUnit.SECONDS.toMillis(10));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void endAll() {
    lock.lock();
    try {
      closed = true;
      open.forEach(Subscription::end);
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
