package dev.onejob.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An open page that is live, as {@code onejob.js} and htmx make it: it holds the line of its topic,
 * and whenever that begins or tells of a change it fetches its parts. While a part is under way one
 * more request for it waits, and no second. Nobody fills anything in, and the page is in sight.
 */
final class Tab implements AutoCloseable {
  private static final Pattern TOPIC = Pattern.compile("data-live=\"([^\"]+)\"");
  private static final Pattern PART =
      Pattern.compile("hx-get=\"([^\"]+)\" hx-trigger=\"onejob-(?:changed|calm) from:body\"");
  private static final Duration OVER_PAUSE = Duration.ofSeconds(2);
  private static final Duration FAILED_PAUSE = Duration.ofSeconds(5);

  private final Person person;
  private final String path;
  private final String topic;
  private final List<Part> parts;
  private final AtomicInteger renewed = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final Thread line;
  private volatile boolean closed;

  private Tab(Person person, String path, String page) {
    this.person = person;
    this.path = path;
    Matcher live = TOPIC.matcher(page);
    if (!live.find()) {
      throw new IllegalStateException(path + " is not live");
    }
    this.topic = live.group(1);
    this.parts = PART.matcher(page).results().map(Part::new).toList();
    if (parts.isEmpty()) {
      throw new IllegalStateException(path + " has no parts that are renewed");
    }
    this.line = Thread.ofVirtual().name("tab").unstarted(this::listen);
  }

  /** Opens the page in a session of its own. */
  static Tab open(URI base, String secret, String path) throws IOException, InterruptedException {
    Person person = Person.logIn(base, secret);
    Person.Answer page = person.get(path);
    if (page.status() != 200) {
      throw new IOException(path + " was answered with " + page.status());
    }
    Tab tab = new Tab(person, path, page.body());
    tab.line.start();
    return tab;
  }

  /** Whether it hears of the changes of more than one job. */
  boolean isAboutAll() {
    return !topic.startsWith("job_");
  }

  /** How often a part was renewed since it was asked last. */
  int renewed() {
    return renewed.getAndSet(0);
  }

  /** How often a part could not be renewed, or the line was lost, since it was asked last. */
  int failed() {
    return failed.getAndSet(0);
  }

  private void changed() {
    parts.forEach(Part::fetch);
  }

  /** A part of the page, which is fetched by one request at a time. */
  private final class Part {
    private final String address;
    private boolean underWay;
    private boolean again;

    Part(MatchResult found) {
      this.address = found.group(1).replace("&amp;", "&");
    }

    synchronized void fetch() {
      again = underWay;
      if (!underWay) {
        underWay = true;
        person
            .part(address)
            .whenComplete((status, thrown) -> fetched(thrown == null && status < 400));
      }
    }

    private void fetched(boolean well) {
      (well ? renewed : failed).incrementAndGet();
      synchronized (this) {
        underWay = false;
        if (closed) {
          return;
        }
        if (again) {
          fetch();
        }
      }
      if (!well) {
        later(FAILED_PAUSE);
      }
    }
  }

  private void later(Duration pause) {
    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              if (!closed) {
                changed();
              }
            });
  }

  private void listen() {
    try {
      while (!closed) {
        Duration pause = hold();
        if (!closed) {
          failed.incrementAndGet();
          Thread.sleep(pause);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hears until the line is over; how long to wait before the next. */
  private Duration hold() throws InterruptedException {
    try (InputStream events = person.events(topic);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(events, StandardCharsets.UTF_8))) {
      for (String each = lines.readLine(); each != null; each = lines.readLine()) {
        switch (each) {
          case "event: begin", "event: changed" -> changed();
          case "event: over" -> {
            return OVER_PAUSE;
          }
          default -> {} // a heartbeat, or the rest of an event
        }
      }
      return FAILED_PAUSE;
    } catch (IOException e) {
      if (!closed) {
        Progress.say(path + " lost its line: " + e);
      }
      return FAILED_PAUSE;
    }
  }

  @Override
  public void close() {
    closed = true;
    person.close();
    line.interrupt();
  }
}
