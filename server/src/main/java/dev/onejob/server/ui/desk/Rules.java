package dev.onejob.server.ui.desk;

import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Kind;
import dev.onejob.domain.UnknownRule;
import dev.onejob.server.ui.page.Shown;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the kinds of this node do about doubts by themselves. */
final class Rules {
  private final Map<String, Kind> kinds;

  Rules(Collection<Kind> kinds) {
    this.kinds = kinds.stream().collect(Collectors.toMap(Kind::name, kind -> kind));
  }

  DeskPage.Item with(DeskItem waits) {
    return new DeskPage.Item(waits, says(waits));
  }

  private @Nullable String says(DeskItem waits) {
    Kind kind = kinds.get(waits.job().kind());
    UnknownRule rule = kind == null ? null : kind.unknownRule();
    if (rule == null
        || waits.because() != DeskItem.Because.IN_DOUBT
        || waits.effect() != Effect.HARMLESS) {
      return null;
    }
    Duration left = rule.after().minus(waits.age());
    return "The rule of the kind: %s, then %s, %s."
        .formatted(
            rule.verdict().word(),
            rule.then().word(),
            left.isPositive() ? "in " + Shown.duration(left) : "at the next sweep");
  }
}
