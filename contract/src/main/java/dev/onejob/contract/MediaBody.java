package dev.onejob.contract;

import dev.onejob.domain.Breach;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** An answer that is a picture, a sound or a film: declared type and bytes must agree. */
public final class MediaBody {
  /** The answer is no medium of the declared type. */
  public static final String CHECK = "media";

  /** Formats in the same boxes as MP4. */
  private static final Set<String> BOXED =
      Set.of("audio/mp4", "video/quicktime", "image/heic", "image/avif", "video/3gpp");

  private MediaBody() {}

  /**
   * What is wrong with it.
   *
   * @param allowed media types in lower case, at least one
   */
  public static List<Breach> breaches(JsonNode answer, List<String> allowed) {
    List<Breach> found = new ArrayList<>();
    String type = answer.path("media_type").asString("").toLowerCase(Locale.ROOT);
    if (!allowed.contains(type)) {
      found.add(
          new Breach(CHECK, "/media_type", "", "expected one of " + String.join(", ", allowed)));
    }
    for (String name : answer.propertyNames()) {
      if (!name.equals("media_type") && !name.equals("data")) {
        found.add(
            new Breach(
                UndeclaredMembers.CHECK,
                PathText.cut(PathText.child("", name)),
                "",
                "a medium has media_type and data, and nothing else"));
      }
    }
    bytes(answer)
        .ifPresentOrElse(
            bytes -> sniffed(type, bytes).ifPresent(found::add),
            () -> found.add(new Breach(CHECK, "/data", "", "expected bytes in base 64")));
    return found;
  }

  /** Its bytes; empty if they are no base 64. */
  public static Optional<byte[]> bytes(JsonNode answer) {
    try {
      String data = answer.path("data").asString("");
      return data.isEmpty() ? Optional.empty() : Optional.of(Base64.getDecoder().decode(data));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Breach> sniffed(String type, byte[] bytes) {
    String seen = sniff(bytes);
    boolean boxed = seen.equals("video/mp4") && BOXED.contains(type);
    return seen.isEmpty() || seen.equals(type) || boxed
        ? Optional.empty()
        : Optional.of(new Breach(CHECK, "/data", "", "the bytes are " + seen));
  }

  /** The media type that the first bytes show; empty if they show none that is known here. */
  static String sniff(byte[] bytes) {
    if (begins(bytes, 0, 0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A)) {
      return "image/png";
    }
    if (begins(bytes, 0, 0xFF, 0xD8, 0xFF)) {
      return "image/jpeg";
    }
    if (begins(bytes, 0, 'G', 'I', 'F', '8')) {
      return "image/gif";
    }
    if (begins(bytes, 0, '%', 'P', 'D', 'F', '-')) {
      return "application/pdf";
    }
    if (begins(bytes, 0, 'R', 'I', 'F', 'F') && bytes.length > 12) {
      return begins(bytes, 8, 'W', 'E', 'B', 'P')
          ? "image/webp"
          : begins(bytes, 8, 'W', 'A', 'V', 'E') ? "audio/wav" : "";
    }
    if (begins(bytes, 4, 'f', 't', 'y', 'p')) {
      return "video/mp4";
    }
    return begins(bytes, 0, '{') || begins(bytes, 0, '<') ? "text" : "";
  }

  private static boolean begins(byte[] bytes, int at, int... with) {
    if (bytes.length < at + with.length) {
      return false;
    }
    for (int i = 0; i < with.length; i++) {
      if ((bytes[at + i] & 0xFF) != with[i]) {
        return false;
      }
    }
    return true;
  }
}
