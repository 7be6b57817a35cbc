package dev.onejob.engine;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One intent, on its way in.
 *
 * @param input JSON, kept byte for byte; not copied, not to be changed
 * @param route an explicit choice of providers, part of the intent; null: as the kind says
 * @param deadline after which nothing new starts; null: as the kind says
 * @param priority -100 to 100, more is sooner; not part of the intent
 * @param tags for finding jobs again; not part of the intent
 * @param webhook the name of a webhook of the owner that is to hear of the job, besides those that
 *     hear of all; not part of the intent; null: none
 */
public record Submission(
    Owner owner,
    IntentKey key,
    String kind,
    byte[] input,
    @Nullable List<String> route,
    @Nullable Instant deadline,
    int priority,
    List<String> tags,
    @Nullable String webhook) {
  /** An intent that names no webhook. */
  public Submission(
      Owner owner,
      IntentKey key,
      String kind,
      byte[] input,
      @Nullable List<String> route,
      @Nullable Instant deadline,
      int priority,
      List<String> tags) {
    this(owner, key, kind, input, route, deadline, priority, tags, /* webhook= */ null);
  }
}
