package dev.onejob.providers.httpasync;

import dev.onejob.providers.InvalidSetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a provider's words for a state of work mean. A word that is not in it means nothing. */
final class Vocabulary {
  /** What a word may mean. */
  enum Meaning {
    AT_WORK,
    SUCCEEDED,
    FAILED,
    FAILED_RETRYABLE,
    STOPPED
  }

  private final Map<String, Meaning> words = new HashMap<>();

  /** The words of a status or a callback. */
  record Words(
      @Nullable List<String> atWork,
      @Nullable List<String> succeeded,
      @Nullable List<String> failed,
      @Nullable List<String> failedRetryable,
      @Nullable List<String> stopped) {
    private boolean areNone() {
      return atWork == null
          && succeeded == null
          && failed == null
          && failedRetryable == null
          && stopped == null;
    }
  }

  private Vocabulary(Words said, String setting) {
    add(said.atWork(), Meaning.AT_WORK, setting);
    add(said.succeeded(), Meaning.SUCCEEDED, setting);
    add(said.failed(), Meaning.FAILED, setting);
    add(said.failedRetryable(), Meaning.FAILED_RETRYABLE, setting);
    add(said.stopped(), Meaning.STOPPED, setting);
    if (!words.containsValue(Meaning.SUCCEEDED)) {
      throw new InvalidSetting(
          setting + "/succeeded", "this is needed, and neither set nor part of the profile");
    }
  }

  /** The words of a status. */
  static Vocabulary of(Words said, String setting) {
    return new Vocabulary(said, setting);
  }

  /** The words of callbacks; those of the status where callbacks have none of their own. */
  static Vocabulary ofCallbacks(Words said, Vocabulary status, String setting) {
    return said.areNone() ? status : new Vocabulary(said, setting);
  }

  private void add(@Nullable List<String> said, Meaning meaning, String setting) {
    for (String word : said == null ? List.<String>of() : said) {
      Meaning before = words.putIfAbsent(word, meaning);
      if (before != null && before != meaning) {
        throw new InvalidSetting(setting, "the word \"" + word + "\" cannot mean two things");
      }
    }
  }

  Optional<Meaning> meaning(String word) {
    return Optional.ofNullable(words.get(word));
  }
}
