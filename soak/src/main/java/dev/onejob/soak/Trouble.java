package dev.onejob.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** Every few seconds something is killed, frozen, cut off or restarted, as the seed says. */
final class Trouble implements Actor {
  private final Ground ground;
  private final List<Node> nodes;
  private final Recorder recorder;
  private final Random random;
  private final PriorityQueue<Mending> mendings = new PriorityQueue<>();
  private final Turns turns;
  private final long from = System.nanoTime();
  private long nextAt = System.nanoTime() + Duration.ofSeconds(3).toNanos();

  Trouble(Ground ground, List<Node> nodes, Recorder recorder, long seed) {
    this.ground = ground;
    this.nodes = nodes;
    this.recorder = recorder;
    this.random = new Random(seed);
    this.turns = new Turns("trouble", this::turn);
  }

  /** What ends a trouble. */
  interface Act {
    void now() throws IOException, InterruptedException;
  }

  private record Mending(long at, Node node, String says, Act act) implements Comparable<Mending> {
    @Override
    public int compareTo(Mending other) {
      return Long.compare(at, other.at);
    }
  }

  static String describe() {
    return "every 2 to 5 s, unless only one node is well: a node is killed (3 of 11; back after 1"
        + " to 4 s), frozen (3; 1 to 18 s), its connections to the database cut (2), its packets to"
        + " the database swallowed (2; 2 to 12 s), or the database restarted (1; in order or by a"
        + " crash)";
  }

  @Override
  public void start() {
    turns.start();
  }

  private Duration turn() throws IOException, InterruptedException {
    long now = System.nanoTime();
    while (!mendings.isEmpty() && mendings.peek().at() <= now) {
      mend(mendings.remove());
    }
    supervise();
    if (now >= nextAt) {
      make();
      nextAt = System.nanoTime() + millis(2_000, 5_000).toNanos();
    }
    return Duration.ofMillis(50);
  }

  /** As a service manager does: a node cannot start while the database is away. */
  private void supervise() throws IOException {
    for (Node node : nodes) {
      if (node.condition() == Node.Condition.UP && !node.lives()) {
        say("ended by itself, started again: " + node.name());
        node.start();
      }
    }
  }

  private void make() throws IOException, InterruptedException {
    List<Node> well = new ArrayList<>(nodes);
    mendings.forEach(mending -> well.remove(mending.node()));
    int dice = random.nextInt(11);
    int which = random.nextInt(nodes.size());
    if (dice == 10) {
      restartDatabase();
    } else if (well.size() >= 2) {
      Node node = well.get(which % well.size());
      if (dice < 3) {
        say("kill " + node.name());
        node.kill();
        later(node, millis(1_000, 4_000), "start " + node.name(), node::start);
      } else if (dice < 6) {
        say("freeze " + node.name());
        node.freeze();
        later(node, millis(1_000, 18_000), "thaw " + node.name(), node::thaw);
      } else if (dice < 8) {
        say("cut " + node.name());
        node.line().cut();
      } else {
        say("swallow the packets of " + node.name());
        node.line().swallow();
        later(node, millis(2_000, 12_000), "restore " + node.name(), node.line()::restore);
      }
    }
  }

  private void restartDatabase() throws IOException, InterruptedException {
    boolean crash = random.nextBoolean();
    say(crash ? "crash the database" : "restart the database");
    if (crash) {
      ground.database().crash();
    } else {
      ground.database().stop();
    }
    Thread.sleep(millis(0, 2_500));
    ground.database().start();
    say("the database is back");
  }

  private void later(Node node, Duration after, String says, Act act) {
    mendings.add(new Mending(System.nanoTime() + after.toNanos(), node, says, act));
  }

  private void mend(Mending mending) throws IOException, InterruptedException {
    say(mending.says());
    mending.act().now();
  }

  private Duration millis(int min, int max) {
    return Duration.ofMillis(min + random.nextInt(max - min));
  }

  private void say(String what) {
    recorder.count("trouble: " + what.replaceAll(":? (of )?n\\d+$", ""));
    System.out.printf("%7.1f s  %s%n", (System.nanoTime() - from) / 1e9, what);
  }

  /** No more trouble; what is broken is mended, all of it. */
  @Override
  public void stop() {
    turns.stop();
    try {
      while (!mendings.isEmpty()) {
        mend(mendings.remove());
      }
      supervise();
    } catch (IOException e) {
      throw new IllegalStateException("the trouble could not be ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
