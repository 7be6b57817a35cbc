package dev.onejob.server.http.request;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The strict reading of a query. What cannot be decoded is an error: a filter that is passed over
 * in silence would show everything.
 */
final class QueryText {
  private static final Pattern ENCODED = Pattern.compile("(?:[!-~&&[^%]]|%[0-9A-Fa-f]{2})*+");

  private QueryText() {}

  static Map<String, List<String>> read(@Nullable String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    if (query == null || query.isEmpty()) {
      return values;
    }
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      String name = decoded(parts[0], parts[0]);
      String value = parts.length == 1 ? "" : decoded(parts[1], name);
      values.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }
    return values;
  }

  private static String decoded(String text, String parameter) {
    if (!ENCODED.matcher(text).matches()) {
      throw undecodable(parameter);
    }
    byte[] bytes = URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw undecodable(parameter);
    }
  }

  private static ProblemException undecodable(String parameter) {
    return Problem.parameter(parameter, "The parameter is not percent-encoded UTF-8.");
  }
}
