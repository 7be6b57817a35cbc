package dev.onejob.server.ui.live;

import dev.onejob.server.access.Session;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** One open page that watches. What changes many times before it listens is told once. */
final class Subscription implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Topic topic;
  private final Session session;
  private final Consumer<Subscription> whenClosed;
  private final Pace pace;
  private boolean looked;
  private boolean changed;
  private boolean over;

  Subscription(Topic topic, Session session, Pace pace, Consumer<Subscription> whenClosed) {
    this.topic = topic;
    this.session = session;
    this.pace = pace;
    this.whenClosed = whenClosed;
  }

  /** What a wait has ended with. */
  enum News {
    CHANGED,
    NOTHING,
    OVER
  }

  Topic topic() {
    return topic;
  }

  Session session() {
    return session;
  }

  /** For the thread that looks. */
  Pace pace() {
    return pace;
  }

  /** Whether nobody has looked for it yet; true once. */
  boolean isNew() {
    lock.lock();
    try {
      boolean first = !looked;
      looked = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until something has changed, for at most the given time. */
  News await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (!changed && !over && nanos > 0) {
        nanos = news.awaitNanos(nanos);
      }
      if (over) {
        return News.OVER;
      }
      boolean told = changed;
      changed = false;
      return told ? News.CHANGED : News.NOTHING;
    } finally {
      lock.unlock();
    }
  }

  void tell() {
    lock.lock();
    try {
      changed = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      over = true;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    whenClosed.accept(this);
  }
}
