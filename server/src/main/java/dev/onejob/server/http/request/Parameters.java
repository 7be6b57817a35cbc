package dev.onejob.server.http.request;

import dev.onejob.server.http.problem.Problem;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The query parameters of a call, each of which it must know and may be there once. */
public final class Parameters {
  private final Map<String, List<String>> values;

  private Parameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Reads the parameters.
   *
   * @throws dev.onejob.server.http.problem.ProblemException naming one that is not known, or that
   *     is there more than once
   */
  public static Parameters of(Context ctx, Set<String> known) {
    Map<String, List<String>> values = QueryText.read(ctx.req().getQueryString());
    values.forEach(
        (name, texts) -> {
          if (!known.contains(name)) {
            throw Problem.parameter(
                name, "This call has no such parameter; it knows " + sorted(known) + ".");
          }
          if (texts.size() > 1) {
            throw Problem.parameter(name, "The parameter may be there once only.");
          }
        });
    return new Parameters(values);
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }

  /** The text of a parameter; null without it. */
  public @Nullable String text(String name) {
    List<String> texts = values.get(name);
    return texts == null || texts.isEmpty() ? null : texts.getFirst();
  }

  /**
   * Reads a parameter; null without it.
   *
   * @param expected completes "The parameter is …"
   * @param reader throws IllegalArgumentException for what it cannot read
   */
  public <T> @Nullable T read(String name, String expected, Function<String, T> reader) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw Problem.parameter(name, "The parameter is " + expected + ".");
    }
  }
}
