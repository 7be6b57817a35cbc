package dev.onejob.server.ui.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.access.Session;
import dev.onejob.server.access.Session.Transport;
import dev.onejob.testkit.PostgresExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FeedTest {
  @RegisterExtension static final PostgresExtension POSTGRES = new PostgresExtension();

  @Test
  void pages_are_told_again_after_a_look_that_ran_out_of_memory() throws Exception {
    AtomicInteger errors = new AtomicInteger(2);
    Credential who = new Credential(new UUID(0, 1), "k", Role.OPERATOR, new Owner("house"));
    Session session = new Session("s", who, "csrf", Transport.PLAIN);
    try (Feed feed = new Feed(failingFirst(errors), 10)) {
      feed.start();
      Topic job = new Topic.OneJob(new JobId(new UUID(0, 2)));
      try (Subscription page = feed.watch(job, session).orElseThrow()) {
        assertThat(page.await(Duration.ofSeconds(60))).isEqualTo(Subscription.News.CHANGED);
        assertThat(errors.get()).isNegative();
      }
    }
  }

  /** The real database, whose first connections end in an error of the machine's. */
  private static DataSource failingFirst(AtomicInteger errors) {
    return (DataSource)
        Proxy.newProxyInstance(
            FeedTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (errors.getAndDecrement() > 0) {
                throw new OutOfMemoryError("as if");
              }
              return method.invoke(POSTGRES.dataSource(), arguments);
            });
  }
}
