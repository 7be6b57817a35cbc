package dev.onejob.contract;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Fragments of references within a schema. */
final class Fragments {
  private Fragments() {}

  /** The JSON pointer that a fragment stands for. */
  static String decoded(String fragment) {
    return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
