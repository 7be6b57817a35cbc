package dev.onejob.soak;

import java.util.List;

/**
 * What clients were told.
 *
 * @param acknowledged each 2xx answer to a submit
 * @param results each result that was read
 */
record History(List<Acknowledged> acknowledged, List<ResultRead> results) {
  /** A submit of that key was answered 2xx with that job. */
  record Acknowledged(String key, String job) {}

  /** A job was seen with a result. */
  record ResultRead(String job, String digest) {}

  /** Copies. */
  History {
    acknowledged = List.copyOf(acknowledged);
    results = List.copyOf(results);
  }
}
