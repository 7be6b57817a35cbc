package dev.onejob.soak;

import dev.onejob.testkit.FaultyLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Stream;

/** Every few seconds something is killed, frozen, cut off or restarted, as the seed says. */
final class Trouble implements Actor {
  private final Ground ground;
  private final List<Node> nodes;
  private final List<Target> targets;
  private final Recorder recorder;
  private final Random random;
  private final PriorityQueue<Mending> mendings = new PriorityQueue<>();
  private final Turns turns;
  private final long from = System.nanoTime();
  private long nextAt = System.nanoTime() + Duration.ofSeconds(3).toNanos();

  Trouble(Ground ground, List<Node> nodes, List<Worker> workers, Recorder recorder, long seed) {
    this.ground = ground;
    this.nodes = nodes;
    this.targets = Stream.concat(nodes.stream(), workers.stream()).map(Target.class::cast).toList();
    this.recorder = recorder;
    this.random = new Random(seed);
    this.turns = new Turns("trouble", this::turn);
  }

  /** What ends a trouble. */
  interface Act {
    void now() throws IOException, InterruptedException;
  }

  private record Mending(long at, Target target, String says, Act act)
      implements Comparable<Mending> {
    @Override
    public int compareTo(Mending other) {
      return Long.compare(at, other.at);
    }
  }

  static String describe() {
    return "every 2 to 5 s a node or a worker, unless it is the last node that is well, is killed"
        + " (3 of 11; back after 1 to 4 s), frozen (3; 1 to 18 s), its connections to the database"
        + " or the nodes are cut (2) or their packets swallowed (2; 2 to 12 s), or the database is"
        + " restarted (1; in order or by a crash)";
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
    for (Target target : targets) {
      Program program = target.program();
      if (program.condition() == Program.Condition.UP && !program.lives()) {
        say("ended by itself, started again: " + target.name());
        program.start();
      }
    }
  }

  private void make() throws IOException, InterruptedException {
    List<Target> well = new ArrayList<>(targets);
    mendings.forEach(mending -> well.remove(mending.target()));
    if (nodes.stream().filter(well::contains).count() < 2) {
      well.removeAll(nodes);
    }
    int dice = random.nextInt(11);
    int which = random.nextInt(targets.size());
    if (dice == 10) {
      restartDatabase();
    } else if (!well.isEmpty()) {
      make(dice, well.get(which % well.size()));
    }
  }

  private void make(int dice, Target target) throws IOException, InterruptedException {
    Program program = target.program();
    if (dice < 3) {
      say("kill " + target.name());
      program.kill();
      later(target, millis(1_000, 4_000), "start " + target.name(), program::start);
    } else if (dice < 6) {
      say("freeze " + target.name());
      program.freeze();
      later(target, millis(1_000, 18_000), "thaw " + target.name(), program::thaw);
    } else if (dice < 8) {
      say("cut " + target.name());
      target.lines().forEach(FaultyLine::cut);
    } else {
      say("swallow the packets of " + target.name());
      target.lines().forEach(FaultyLine::swallow);
      later(
          target,
          millis(2_000, 12_000),
          "restore " + target.name(),
          () -> target.lines().forEach(FaultyLine::restore));
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

  private void later(Target target, Duration after, String says, Act act) {
    mendings.add(new Mending(System.nanoTime() + after.toNanos(), target, says, act));
  }

  private void mend(Mending mending) throws IOException, InterruptedException {
    say(mending.says());
    mending.act().now();
  }

  private Duration millis(int min, int max) {
    return Duration.ofMillis(min + random.nextInt(max - min));
  }

  private void say(String what) {
    recorder.count("trouble: " + what.replaceAll(":? (of )?([nw])\\d+$", " $2"));
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
