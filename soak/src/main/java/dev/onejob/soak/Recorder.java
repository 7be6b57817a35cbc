package dev.onejob.soak;

import dev.onejob.soak.History.Acknowledged;
import dev.onejob.soak.History.ResultRead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/** Writes down what clients were told, and counts. Safe for many threads. */
final class Recorder {
  private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
  private final Queue<ResultRead> results = new ConcurrentLinkedQueue<>();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final List<String> lately = new ArrayList<>();

  void count(String what) {
    counts.computeIfAbsent(what, name -> new LongAdder()).increment();
  }

  Map<String, Long> counts() {
    Map<String, Long> sorted = new TreeMap<>();
    counts.forEach((name, count) -> sorted.put(name, count.sum()));
    return sorted;
  }

  void acknowledged(String key, String job) {
    acknowledged.add(new Acknowledged(key, job));
    synchronized (lately) {
      lately.add(job);
    }
  }

  /** A job among those acknowledged last; empty if there is none yet. */
  String recentJob(Random random, int among) {
    synchronized (lately) {
      int size = lately.size();
      return size == 0 ? "" : lately.get(size - 1 - random.nextInt(Math.min(among, size)));
    }
  }

  void resultRead(String job, JsonNode result) {
    results.add(new ResultRead(job, digest(result)));
  }

  /** Equal for equal results, however they are spelled. */
  static String digest(JsonNode result) {
    try {
      byte[] bytes = result.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  History history() {
    return new History(List.copyOf(acknowledged), List.copyOf(results));
  }
}
