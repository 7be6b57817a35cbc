package dev.onejob.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.domain.Owner;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Every page of the dashboard over five million jobs that have ended, while 500 more a second run;
 * then the same submits without and with ten live pages. Fails if the first byte of a page takes
 * more than half a second at the median, if a page answers otherwise than it has to, or if the tabs
 * make the submit p99 a fifth longer.
 */
public final class PagesScene {
  private static final long JOBS = 5_000_000;

  /** Among fewer not everything is found that the pages are about. */
  private static final long JOBS_MIN = 50_000;

  private static final int JOBS_PER_SECOND = 500;
  private static final int LOOKS = 30;
  private static final int SUBMITTERS = 20;
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration RUNS_WITHIN = Duration.ofMinutes(2);
  private static final int POOL = 4;
  private static final Pattern RUN = Pattern.compile("run_[0-9A-Z]{26}");

  private final DataSource database;
  private final URI base;
  private final ApiKeys keys;
  private final PageTargets targets;
  private final Instant now;
  private final int perSecond;

  private PagesScene(DataSource database, URI base, FilledPast past, Instant now, int perSecond) {
    this.perSecond = perSecond;
    this.database = database;
    this.base = base;
    this.keys = new ApiKeys(database);
    this.targets = new PageTargets(database, past);
    this.now = now;
  }

  /**
   * Plays.
   *
   * @param args how many ended jobs, and how many a second run meanwhile; five million and 500
   */
  public static void main(String[] args) throws Exception {
    long jobs = args.length == 0 ? JOBS : Long.parseLong(args[0]);
    if (jobs < JOBS_MIN) {
      throw new IllegalArgumentException("JOBS: at least %,d".formatted(JOBS_MIN));
    }
    int perSecond = args.length < 2 ? JOBS_PER_SECOND : Integer.parseInt(args[1]);
    Path folder = Files.createTempDirectory("onejob-pages");
    boolean kept;
    try (Ground ground = Ground.prepare(folder)) {
      System.out.println("PostgreSQL " + ground.version() + ", Java " + Runtime.version());
      String url = ground.create("pages");
      try (HikariDataSource database = Ground.pool(url, POOL)) {
        Instant now = Instant.now();
        FilledPast past = new FilledPast(database, jobs, now);
        past.fill();
        System.out.printf(
            "%n%,d ended jobs, %.1f GB; writing them took %d s.%n",
            jobs, one(database, SIZE) / 1e9, Duration.between(now, Instant.now()).toSeconds());
        List<String> node = List.of(url, folder.resolve("node").toString());
        try (ServerProcess server = ServerProcess.startNode(node)) {
          URI base = URI.create("http://127.0.0.1:" + server.door(0).port());
          kept = new PagesScene(database, base, past, now, perSecond).play(server.door(0).secret());
        }
      }
    } finally {
      Bench.delete(folder);
    }
    System.exit(kept ? 0 : 1);
  }

  private boolean play(String operator) throws Exception {
    PageList list = new PageList(targets, now);
    List<PageList.Page> pages = new ArrayList<>(list.ofOperator());
    String run = qualify(operator);
    pages.add(new PageList.Page("qualifications", "all", "/ui/qualifications", "parcel"));
    pages.add(
        new PageList.Page("qualifications", "a run", "/ui/qualifications/runs/" + run, "passed"));
    try (OpenLoop loop = new OpenLoop(base, submitters());
        Person person = Person.logIn(base, operator);
        Person owner = Person.logIn(base, key("owner-1", Role.CLIENT, "tenant-0001"))) {
      pages.add(playground(person));
      PageTimes times = new PageTimes();
      times.add(person, pages);
      times.add(owner, PageList.ofOwner());
      measure(times, person, loop);
      TabRounds rounds =
          new TabRounds(
              base,
              key("tabs", Role.OPERATOR, "house"),
              loop,
              perSecond,
              targets.waiting("doubt", "chat").job().toString());
      rounds.run();
      System.out.println();
      System.out.println(rounds.table());
      boolean quick = times.isQuick();
      return quick && times.wrong().isEmpty() && rounds.isKept();
    }
  }

  private void measure(PageTimes times, Person person, OpenLoop loop) throws Exception {
    try (ExecutorService beside = Executors.newSingleThreadExecutor()) {
      Instant began = Instant.now();
      Future<double[]> submits = beside.submit(() -> loop.runUntilStopped(perSecond));
      try {
        Thread.sleep(WARM_UP);
        times.meet(person);
        Progress.say("every page was met");
        for (int i = 0; i < LOOKS && !submits.isDone(); i++) {
          times.measure();
          Progress.say("%d of %d looks at every page".formatted(i + 1, LOOKS));
        }
      } finally {
        loop.stop();
      }
      double[] sorted = submits.get();
      Duration lasted = Duration.between(began, Instant.now());
      System.err.println(times.all());
      System.out.printf("%n%s%n", times.table());
      System.out.printf(
          "%,d requests in turn, %d of each address (median at most %.0f ms); %d not as expected."
              + " Meanwhile %.0f jobs a second were submitted, 99 %% within %.0f ms; at the end %d"
              + " were due.%n",
          times.requests(),
          LOOKS,
          PageTimes.MEDIAN_MILLIS_MAX,
          times.wrong().size(),
          sorted.length * 1e3 / lasted.toMillis(),
          OpenLoop.at(sorted, 0.99),
          one(database, DUE));
    }
  }

  private static final String SIZE = "SELECT pg_database_size(current_database())";

  private static final String DUE =
      """
      SELECT count(*) FROM onejob.job AS j WHERE j.run_at <= clock_timestamp()
      """;

  private static long one(DataSource database, String text) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(text)) {
      row.next();
      return row.getLong(1);
    }
  }

  private String key(String name, Role role, String owner) {
    return keys.create(name, role, new Owner(owner)).secret();
  }

  /** As many owners as submit. */
  private List<String> submitters() {
    List<String> secrets = new ArrayList<>();
    for (int i = 1; i <= SUBMITTERS; i++) {
      secrets.add(key("submitter-" + i, Role.CLIENT, "tenant-%04d".formatted(i)));
    }
    return secrets;
  }

  /** Qualifies the route of the kind with a contract; the id of the first run once it has ended. */
  private String qualify(String operator) throws IOException, InterruptedException {
    String answer = api(operator, "POST", "/v1/qualification-runs", "{\"kind\":\"parcel\"}");
    Matcher run = RUN.matcher(answer);
    if (!run.find()) {
      throw new IOException("no run was begun: " + answer);
    }
    Instant until = Instant.now().plus(RUNS_WITHIN);
    String list;
    do {
      if (Instant.now().isAfter(until)) {
        throw new IOException("a run did not end within " + RUNS_WITHIN);
      }
      Thread.sleep(200);
      list = api(operator, "GET", "/v1/qualification-runs?kind=parcel", "");
    } while (list.contains("\"running\""));
    return run.group();
  }

  private String api(String secret, String method, String path, String body)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(base.resolve(path))
              .header("Authorization", "Bearer " + secret)
              .header("Content-Type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    }
  }

  /** Presses the big button once; the page of what it began. */
  private static PageList.Page playground(Person person) throws IOException, InterruptedException {
    Map<String, String> choice =
        new HashMap<>(Map.of("preset", "click-twice", "delay_a", "1000", "delay_b", "1000"));
    choice.putAll(Map.of("outcome_a", "succeed", "outcome_b", "succeed"));
    Person.Answer pressed = person.press("/ui/playground", "/ui/playground", choice);
    String path = pressed.header("Location").replaceFirst("#.*", "");
    if (!path.startsWith("/ui/playground/runs/")) {
      throw new IOException("nothing was begun: " + pressed.status() + " " + pressed.body());
    }
    return new PageList.Page("playground", "a run", path, "id=\"run\"");
  }
}
