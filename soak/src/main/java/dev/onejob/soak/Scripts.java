package dev.onejob.soak;

import dev.onejob.testkit.PaymentPeer.Fate;
import java.util.Random;

/** What clients want, and how the provider will treat it: all from the seed and a number. */
final class Scripts {
  /** The provider whose work is fetched by workers, and the kind that goes to it. */
  static final String WORKERS = "w";

  static final String PULLED = "pulled";

  /** The provider that acts once for a key, and the kind that goes to it. */
  static final String PAYMENTS = "payments";

  static final String PAID = "paid";

  private final long seed;

  Scripts(long seed) {
    this.seed = seed;
  }

  static String describe() {
    return "62% answer at once, 12% after 0.4 to 1.6 s, 5% too late (2.4 to 5 s), 4% hang (half of"
        + " them act), 4% cut before and 4% after the act, 4% status 500, 5% status 429; a fifth of"
        + " the jobs goes to the workers, a third of the others is harmless and raced; a fifteenth"
        + " pays: 70% are answered at once, 12% lose the answer, 10% the request, 5% are processed"
        + " first, 3% are declined without a word";
  }

  String key(int number) {
    return "soak-" + seed + "-" + number;
  }

  /** The body of a submit: the same for the same number. */
  String body(int number) {
    Random random = new Random(seed * 1_000_003 + number);
    int dice = random.nextInt(15);
    if (dice == 14) {
      return """
      {"kind":"%s","input":{"n":%d,"fate":"%s"}}"""
          .formatted(PAID, number, fate(random.nextInt(100)));
    }
    String kind = dice < 3 ? PULLED : dice < 7 ? "harmless" : "exclusive";
    String steps = step(random) + "," + step(random) + "," + slow(random);
    return """
    {"kind":"%s","input":{"n":%d,"script":{"p1":[%s],"p2":[%s],"w":[%s]}}}"""
        .formatted(kind, number, steps, steps, steps);
  }

  private static Fate fate(int dice) {
    if (dice < 70) {
      return Fate.SERVE;
    } else if (dice < 82) {
      return Fate.LOSE_ANSWER;
    } else if (dice < 92) {
      return Fate.LOSE_REQUEST;
    } else {
      return dice < 97 ? Fate.PROCESS : Fate.DECLINE_UNHEARD;
    }
  }

  private static String step(Random random) {
    int dice = random.nextInt(100);
    if (dice < 62) {
      return "{\"answer_after_ms\":" + random.nextInt(60) + "}";
    } else if (dice < 74) {
      return slow(random);
    } else if (dice < 79) {
      int answer = 2_400 + random.nextInt(2_600);
      return "{\"answer_after_ms\":"
          + answer
          + ",\"effect_after_ms\":"
          + random.nextInt(answer)
          + "}";
    } else if (dice < 83) {
      return random.nextBoolean()
          ? "{\"outcome\":\"hang\",\"effect_after_ms\":" + random.nextInt(4_000) + "}"
          : "{\"outcome\":\"hang\"}";
    } else if (dice < 87) {
      return "{\"outcome\":\"drop_before\"}";
    } else if (dice < 91) {
      return "{\"outcome\":\"drop_after\"}";
    } else if (dice < 95) {
      return "{\"outcome\":\"status\",\"status\":500}";
    } else {
      return "{\"outcome\":\"status\",\"status\":429,\"retryable\":true,\"retry_after_ms\":300}";
    }
  }

  private static String slow(Random random) {
    return "{\"answer_after_ms\":" + (400 + random.nextInt(1_200)) + "}";
  }
}
