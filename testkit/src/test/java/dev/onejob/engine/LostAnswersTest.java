package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.store.JobQueries;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.Leases;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
import dev.onejob.store.ShortWay;
import dev.onejob.store.StoreException;
import dev.onejob.store.Write;
import dev.onejob.testkit.PostgresExtension;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Writes of which it is not known whether they were made. */
class LostAnswersTest {
  private static final Chronicle SILENT = new Chronicle(EngineListener.SILENT);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private Work work;
  private StartWriter writer;
  private Departures departures;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    JobEngine door = fixture.node();
    door.close(); // it admits, and starts nothing
    JobId id = EngineFixture.submit(door, "k", "plain");
    work = new JobQueries(postgres.dataSource()).work(id).orElseThrow();
    departures = new Departures(fixture.config(EngineFixture.PLAIN));
    writer =
        new StartWriter(
            new Writes(Stores.over(postgres.dataSource(), Map.of(), SILENT), SILENT),
            new Moves(postgres.dataSource()),
            new Leases(postgres.dataSource()),
            new Persistence(1_000));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private MoveRequest departure() {
    return departures.depart(work, "a", StartCause.DISPATCH);
  }

  private static JobEvent.Start start(MoveRequest request) {
    return (JobEvent.Start) request.event();
  }

  @Test
  void a_start_that_was_written_is_taken_up_under_the_lease_that_it_was_given() throws Exception {
    MoveRequest request = departure();
    Write.Written first =
        new ShortWay(postgres.dataSource()).write(List.of(new Write.Start(request))).getFirst();

    StartWriter.Written asked = writer.ask(request, 42);

    assertThat(asked.answer().map(Write.Moved::new)).contains((Write.Moved) first);
    assertThat(asked.since()).isEqualTo(42);
  }

  @Test
  void a_start_that_was_not_written_is_made_once() throws Exception {
    MoveRequest request = departure();
    StartWriter.Written made = writer.ask(request, 42);
    StartWriter.Written again = writer.ask(request, 43);

    assertThat(made.answer()).containsInstanceOf(Answer.Started.class);
    assertThat(made.since()).isNotEqualTo(42);
    assertThat(again.answer()).isEqualTo(made.answer());
    assertThat(fixture.awaitJob(work.id(), job -> true).attempts()).hasSize(1);
  }

  @Test
  void a_start_that_another_has_overtaken_is_refused() throws Exception {
    MoveRequest other = departure();
    writer.ask(other, 0);

    assertThat(writer.ask(departure(), 0).answer())
        .get()
        .isInstanceOfSatisfying(
            Answer.StartRefused.class,
            refused -> assertThat(refused.blocking()).isEqualTo(start(other).attempt()));
  }

  private MoveRequest finish(int bytes) {
    Result result = new Result(Result.Format.TEXT, new byte[bytes]);
    return new MoveRequest(
        work.id(),
        new JobEvent.Finish(
            start(departure()).attempt(),
            new Report(Report.Outcome.SUCCEEDED, "a".repeat(64), bytes)),
        new MoveRequest.Payload(result, null, 0));
  }

  /** Fails as often as it is told, as a database does that is away; then says how often it ran. */
  private Optional<Integer> failing(AtomicInteger runs, int failures) {
    int run = runs.incrementAndGet();
    if (run <= failures) {
      SeverableDatabase away = new SeverableDatabase(postgres.dataSource());
      away.cut();
      new Moves(away).move(finish(0));
    }
    return Optional.of(run);
  }

  @Test
  void a_result_that_is_not_written_is_tried_again_until_it_is() throws Exception {
    AtomicInteger runs = new AtomicInteger();

    assertThat(new Persistence(100).write(finish(100), () -> failing(runs, 3))).contains(4);
  }

  @Test
  void results_that_wait_are_bounded_in_bytes_and_one_too_many_is_given_up_not_the_others() {
    AtomicInteger runs = new AtomicInteger();

    assertThatThrownBy(() -> new Persistence(100).write(finish(101), () -> failing(runs, 3)))
        .isInstanceOf(StoreException.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void nothing_is_tried_again_once_the_node_has_closed() {
    AtomicInteger runs = new AtomicInteger();
    Persistence closed = new Persistence(100);
    closed.close();

    assertThatThrownBy(() -> closed.write(finish(1), () -> failing(runs, 3)))
        .isInstanceOf(StoreException.class);
    assertThat(runs).hasValue(1);
  }
}
