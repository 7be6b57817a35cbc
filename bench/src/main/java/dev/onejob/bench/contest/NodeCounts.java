package dev.onejob.bench.contest;

import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.engine.EngineListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a node of ours tells of its claims, added up. */
final class NodeCounts implements EngineListener {
  private final LongAdder looks = new LongAdder();
  private final LongAdder found = new LongAdder();
  private final LongAdder starts = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final Map<StartRefusal, LongAdder> refused = new ConcurrentHashMap<>();

  @Override
  public void looked(int jobs, Duration took) {
    looks.increment();
    found.add(jobs);
  }

  @Override
  public void started(String kind, String provider, StartCause cause) {
    starts.increment();
  }

  @Override
  public void startRefused(String kind, StartRefusal why) {
    refused.computeIfAbsent(why, each -> new LongAdder()).increment();
  }

  @Override
  public void batched(int items, Duration took) {
    batches.increment();
    writes.add(items);
  }

  /** The counts, which begin anew. */
  Map<String, Object> taken() {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("looks", looks.sumThenReset());
    counts.put("found", found.sumThenReset());
    counts.put("starts", starts.sumThenReset());
    counts.put("batches", batches.sumThenReset());
    counts.put("writes", writes.sumThenReset());
    Map<String, Long> whys = new LinkedHashMap<>();
    refused.forEach((why, count) -> whys.put(why.name(), count.sumThenReset()));
    counts.put("refused", whys);
    return counts;
  }
}
