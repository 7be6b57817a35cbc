package dev.onejob.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The column of that name: {@code provider=microseconds}, with commas between. Names hold none. */
final class NotBefore {
  private NotBefore() {}

  /** Null for none. */
  static @Nullable String text(Map<String, Instant> times) {
    return times.isEmpty()
        ? null
        : new TreeMap<>(times)
            .entrySet().stream()
                .map(each -> each.getKey() + "=" + micros(each.getValue()))
                .collect(Collectors.joining(","));
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Map<String, Instant> of(@Nullable String text) {
    Map<String, Instant> times = new HashMap<>();
    if (text != null) {
      for (String each : text.split(",", -1)) {
        int sign = each.lastIndexOf('=');
        long micros = Long.parseLong(each, sign + 1, each.length(), 10);
        times.put(each.substring(0, sign), Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
      }
    }
    return times;
  }
}
