package dev.onejob.engine;

import dev.onejob.domain.Owner;
import org.jspecify.annotations.Nullable;

/**
 * Whose jobs a caller may see and move.
 *
 * @param owner the only owner; null: every owner
 */
public record Access(@Nullable Owner owner) {
  /** Every job. */
  public static final Access ALL = new Access(null);

  /** The jobs of one owner. */
  public static Access of(Owner owner) {
    return new Access(owner);
  }

  /** Whether a job of that owner is within reach. */
  public boolean covers(Owner other) {
    return owner == null || owner.equals(other);
  }
}
