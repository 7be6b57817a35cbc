package dev.onejob.bench.peer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A contestant as a program: its {@code main} calls {@link #run}. */
public final class PeerProgram implements Commands {
  private static final int PROTOCOL = 1;

  private final Peer peer;
  private final PeerScenes scenes;

  private PeerProgram(Peer peer, Ledger ledger) {
    this.peer = peer;
    this.scenes = new PeerScenes(peer, ledger);
  }

  /** Serves the bench with this contestant, and ends the process. */
  public static void run(Peer.Opening opening) {
    LineLoop.serve(
        database -> {
          Ledger ledger = new Ledger();
          return new PeerProgram(opening.open(database, ledger), ledger);
        });
  }

  @Override
  public Map<String, Object> ready() {
    Map<String, Object> answer = ready(peer.description());
    if (!peer.http().isEmpty()) {
      answer.put("http", peer.http());
    }
    return answer;
  }

  /** The first line of a contestant. */
  public static Map<String, Object> ready(Peer.Description description) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("ready", true);
    answer.put("protocol", PROTOCOL);
    answer.put("peer", description.peer());
    answer.put("variant", description.variant());
    answer.put("version", description.version());
    answer.put("runtime", "Java " + Runtime.version());
    answer.put("settings", description.settings());
    answer.put("store", description.store());
    answer.put("keeps", description.keeps());
    answer.put("does_not", description.doesNot());
    answer.put("batch", description.batch());
    answer.put("processes", List.of(Map.of("role", "peer", "pid", ProcessHandle.current().pid())));
    return answer;
  }

  @Override
  public Map<String, Object> answer(String[] words) throws Exception {
    return switch (words[0]) {
      case "workers" -> scenes.workers(words[1]);
      case "submit" -> scenes.submit(number(words, 1), number(words, 2), words[3]);
      case "batch" -> scenes.batch(number(words, 1), number(words, 2), words[3]);
      case "drain" -> scenes.drain();
      case "lives" -> scenes.lives(number(words, 1), number(words, 2), words[3]);
      case "paced" -> scenes.paced(number(words, 1), number(words, 2), words[3]);
      case "admit" -> scenes.admit(number(words, 1), number(words, 2), words[3]);
      case "starts" -> scenes.starts(number(words, 1), words[2]);
      case "await" -> scenes.await();
      case "check" -> scenes.check();
      case "counts" -> peer.counts();
      default -> Map.of("error", "no such command: " + words[0]);
    };
  }

  private static int number(String[] words, int place) {
    return Integer.parseInt(words[place]);
  }

  @Override
  public void close() {
    peer.close();
  }
}
