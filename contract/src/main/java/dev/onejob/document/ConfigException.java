package dev.onejob.document;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  /** Carries the problems in the order of their lines. */
  public ConfigException(List<ConfigProblem> problems) {
    super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Carries one problem. */
  public static ConfigException of(String file, int line, String message) {
    return new ConfigException(List.of(new ConfigProblem(file, line, message)));
  }

  /** At least one. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
