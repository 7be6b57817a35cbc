package dev.onejob.server.http.problem;

/** Carries a problem to where it is answered. An expected end of a call, so without a trace. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.type().code() + ": " + problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }
}
