package dev.onejob.bench;

import dev.onejob.bench.PageTargets.Target;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The addresses that are measured, and what each has to answer. */
final class PageList {
  private static final String JOBS = "jobs: list and filters";
  private static final String DEEP = "jobs: far back";
  private static final String SEARCH = "jobs: search";
  private static final String DESK = "desk";
  private static final String JOB = "one job";
  private static final String WEBHOOKS = "webhooks";

  private final PageTargets targets;
  private final Instant now;
  private final List<Page> pages = new ArrayList<>();

  PageList(PageTargets targets, Instant now) {
    this.targets = targets;
    this.now = now.truncatedTo(ChronoUnit.MINUTES);
  }

  /**
   * One of them.
   *
   * @param group under which it is shown
   * @param expected text of the page; behind an arrow, the address that it leads to; empty: any
   */
  record Page(String group, String name, String path, String expected) {
    private static final String LEADS_ON = "→ ";
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    /** Whether this is an answer to it. */
    boolean isAnsweredBy(Person.Answer answer) {
      if (expected.startsWith(LEADS_ON)) {
        return answer.status() == SEE_OTHER
            && answer.header("Location").startsWith(expected.substring(LEADS_ON.length()));
      }
      boolean leadsOn = expected.isEmpty() && answer.status() == SEE_OTHER;
      return leadsOn || (answer.status() == OK && answer.body().contains(expected));
    }
  }

  /** What an operator looks at. */
  List<Page> ofOperator() throws SQLException {
    pages.clear();
    add("overview", "overview", "", "jobs queued");
    jobs();
    farBack();
    search();
    desk();
    oneJob();
    webhooks();
    add("keys and configuration", "keys", "/keys", "tenant-0002");
    add("keys and configuration", "node", "/configuration", "model-a");
    add("keys and configuration", "kind", "/configuration/kinds/chat", "model-b");
    add("keys and configuration", "provider", "/configuration/providers/model-a", "no-op");
    return List.copyOf(pages);
  }

  private void add(String group, String name, String path, String expected) {
    pages.add(new Page(group, name, "/ui" + path, expected));
  }

  /** Of a list that goes on, also where the newest 5,000 jobs, which have just run, are none. */
  private static final String OLDER = "id=\"older\"";

  private static final String ROW = "class=\"number at-attempts\"";
  private static final String NONE = "None among the";

  private void jobs() throws SQLException {
    add(JOBS, "newest", "/jobs", OLDER);
    for (String each : List.of("queued", "unknown")) {
      add(JOBS, "state " + each, "/jobs?state=" + each, ROW);
    }
    for (String each : List.of("succeeded", "failed", "cancelled")) {
      add(JOBS, "state " + each, "/jobs?state=" + each, OLDER);
    }
    add(JOBS, "state running", "/jobs?state=running", "<h1>Jobs</h1>");
    add(JOBS, "kind chat", "/jobs?kind=chat", OLDER);
    add(JOBS, "kind export, rare", "/jobs?kind=export", OLDER);
    add(JOBS, "a kind that is not there", "/jobs?kind=none", NONE);
    add(JOBS, "owner of most", "/jobs?owner=tenant-0001", OLDER);
    add(JOBS, "owner of few", "/jobs?owner=tenant-1190", ROW);
    add(JOBS, "provider model-a", "/jobs?provider=model-a", OLDER);
    add(JOBS, "provider archive, rare", "/jobs?provider=archive", OLDER);
    add(JOBS, "a provider that is not there", "/jobs?provider=none", NONE);
    add(JOBS, "tag web", "/jobs?tag=web", OLDER);
    add(JOBS, "tag rare", "/jobs?tag=rare", OLDER);
    add(JOBS, "a tag that is not there", "/jobs?tag=none", NONE);
    add(JOBS, "one day, 90 days ago", "/jobs?" + day(90), OLDER);
    add(JOBS, "before 150 days ago", "/jobs?to=" + ago(150), OLDER);
    add(JOBS, "from 1 day ago", "/jobs?from=" + ago(1), OLDER);
    add(
        JOBS,
        "unknown, video at studio-a",
        "/jobs?state=unknown&kind=video&provider=studio-a",
        ROW);
    add(JOBS, "queued, chat, owner of most", "/jobs?state=queued&kind=chat&owner=tenant-0001", "");
    add(JOBS, "failed, owner of most", "/jobs?state=failed&owner=tenant-0001", OLDER);
    add(
        JOBS,
        "everything at once",
        "/jobs?state=failed&kind=payment&owner=tenant-0001&provider=bank-b&tag=web&" + day(20),
        "<h1>Jobs</h1>");
    add(
        JOBS,
        "state, kind, provider and tag of one day",
        "/jobs?state=failed&kind=payment&provider=bank-b&tag=web&" + day(60),
        "<h1>Jobs</h1>");
  }

  private String day(int daysAgo) {
    return "from=" + ago(daysAgo) + "&to=" + ago(daysAgo - 1);
  }

  private String ago(int days) {
    return Person.encoded(now.minus(Duration.ofDays(days)).toString());
  }

  private void farBack() throws SQLException {
    for (double depth : new double[] {0.9, 0.5, 0.01}) {
      String before = "before=" + targets.past(depth, "chat", "once").job();
      String at = " at %.0f %%".formatted(100 * (1 - depth));
      add(DEEP, "page" + at, "/jobs?" + before, OLDER);
      add(DEEP, "kind export" + at, "/jobs?kind=export&" + before, "<h1>Jobs</h1>");
      add(DEEP, "failed at bank-b" + at, "/jobs?state=failed&provider=bank-b&" + before, OLDER);
      add(DEEP, "owner of most" + at, "/jobs?owner=tenant-0001&" + before, ROW);
      add(DEEP, "owner's tag rare" + at, "/jobs?owner=tenant-0001&tag=rare&" + before, "");
    }
  }

  private void search() throws SQLException {
    Target found = targets.past(0.5, "video", "once");
    String there = "→ /ui/jobs/" + found.job();
    add(SEARCH, "id of a job", "/jobs?q=" + found.job(), there);
    add(SEARCH, "id of an attempt", "/jobs?q=" + found.attempt(), there);
    add(SEARCH, "key", "/jobs?q=" + found.key(), there);
    add(SEARCH, "key, of an owner", "/jobs?q=" + found.key() + "&owner=" + found.owner(), there);
    add(SEARCH, "provider's id", "/jobs?q=" + found.reference(), there);
    add(SEARCH, "what is not there", "/jobs?q=nothing-is-called-so", "Nothing is called so");
  }

  private void desk() throws SQLException {
    Target doubt = targets.waiting("doubt", "chat");
    Target decision = targets.waiting("decision", "payment");
    Target contested = targets.waiting("contested", "chat");
    String item = "id=\"item-";
    add(DESK, "everything", "/desk", item);
    add(DESK, "in doubt", "/desk?what=in_doubt", item);
    add(DESK, "100 on a page", "/desk?limit=100", item);
    add(DESK, "kind", "/desk?kind=payment", item);
    add(DESK, "kind export, rare", "/desk?kind=export", "Oldest first");
    add(DESK, "provider", "/desk?provider=studio-a", item);
    add(DESK, "owner of most", "/desk?owner=tenant-0001", item);
    add(DESK, "owner of few", "/desk?owner=tenant-1190", "Oldest first");
    add(DESK, "kind, provider, owner", "/desk?kind=chat&provider=model-a&owner=tenant-0001", item);
    add(DESK, "nothing", "/desk?kind=none", "Nothing waits here");
    add(DESK, "together", "/desk/several?what=in_doubt&kind=chat&provider=model-a", "att_");
    add(DESK, "an attempt", "/desk/attempts/" + doubt.attempt(), doubt.job().toString());
    add(DESK, "a decision", "/desk/jobs/" + decision.job(), decision.key());
    add(DESK, "a contested job", "/desk/jobs/" + contested.job(), contested.key());
  }

  private void oneJob() throws SQLException {
    Target large = targets.large();
    job("succeeded", targets.past(0.99, "chat", "once"));
    job("at the second provider", targets.past(0.99, "payment", "second"));
    job("after a race", targets.past(0.99, "chat", "raced"));
    job("failed", targets.past(0.99, "report", "failed"));
    job("without payloads", targets.past(0.1, "image", "once"));
    job("in doubt", targets.waiting("doubt", "video"));
    job("that waits for a decision", targets.waiting("decision", "chat"));
    job("contested", targets.waiting("contested", "chat"));
    job("with a result of 4 MiB", large);
    add(JOB, "its input", "/jobs/" + large.job() + "/input", "prompt");
    add(JOB, "its result", "/jobs/" + large.job() + "/result", "0123456789abcdef");
    add(JOB, "buttons", "/jobs/" + large.job() + "?part=buttons", "");
    add(JOB, "by its attempt", "/attempts/" + large.attempt(), "→ /ui/jobs/" + large.job());
  }

  private void job(String name, Target target) {
    add(JOB, name, "/jobs/" + target.job(), target.job().toString());
  }

  private void webhooks() throws SQLException {
    String log = "/webhooks/" + targets.webhook();
    String delivery = targets.delivery().toString();
    add(WEBHOOKS, "all", "/webhooks", "books");
    add(WEBHOOKS, "a log", log, "evt_");
    for (String each : List.of("waiting", "delivered", "failed")) {
      add(WEBHOOKS, "a log, " + each, log + "?state=" + each, "evt_");
    }
    add(WEBHOOKS, "a log, far back", log + "?before=" + delivery, "<h1>Webhook books</h1>");
    add(WEBHOOKS, "a delivery", "/webhooks/deliveries/" + delivery, delivery);
  }

  /** What the owner of most jobs looks at with a client's key. */
  static List<Page> ofOwner() {
    String group = "as an owner";
    return List.of(
        new Page(group, "overview", "/ui", "jobs queued"),
        new Page(group, "jobs", "/ui/jobs", OLDER),
        new Page(group, "jobs, failed", "/ui/jobs?state=failed", OLDER),
        new Page(group, "jobs, unknown", "/ui/jobs?state=unknown", ROW),
        new Page(group, "jobs, tag rare", "/ui/jobs?tag=rare", ""),
        new Page(group, "jobs, provider archive", "/ui/jobs?provider=archive", ""),
        new Page(group, "search, nothing", "/ui/jobs?q=none", "Nothing is called so"),
        new Page(group, "desk", "/ui/desk", "id=\"item-"),
        new Page(group, "webhooks", "/ui/webhooks", "books"));
  }
}
