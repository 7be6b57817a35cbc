package dev.onejob.server.access;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Keys seen a moment ago, by the digest of their secret. Only what exists is remembered, so that
 * guesses cannot fill it.
 */
final class CredentialCache {
  /** Most entries; a full cache is emptied, which costs one look-up for each key in use. */
  private static final int ENTRIES_MAX = 10_000;

  private final Map<ByteBuffer, Entry> entries = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  CredentialCache(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private record Entry(Credential credential, long readAtNanos) {}

  long now() {
    return nanos.getAsLong();
  }

  Optional<Credential> find(byte[] digest, Duration timeToLive) {
    Entry entry = entries.get(ByteBuffer.wrap(digest));
    return entry != null && now() - entry.readAtNanos() < timeToLive.toNanos()
        ? Optional.of(entry.credential())
        : Optional.empty();
  }

  /**
   * Remembers a key.
   *
   * @param readAtNanos before the database was asked: a withdrawal in between is not outlived
   */
  void remember(byte[] digest, Credential credential, long readAtNanos) {
    if (entries.size() >= ENTRIES_MAX) {
      entries.clear();
    }
    entries.put(ByteBuffer.wrap(digest), new Entry(credential, readAtNanos));
  }

  void forget(UUID id) {
    entries.values().removeIf(entry -> entry.credential().id().equals(id));
  }
}
