package dev.onejob.server.cli;

/** What the exit code says; the same table stands in the help and in {@code docs/cli.md}. */
public final class ExitCode {
  /** Done; for a job: it succeeded. */
  public static final int OK = 0;

  /** The configuration or the database cannot be used, or something broke here. */
  public static final int BROKEN = 1;

  /** The command line is wrong; nothing was sent. */
  public static final int USAGE = 2;

  /** The service refused: a problem document came back. */
  public static final int REFUSED = 3;

  /** No usable answer came; what was sent may have arrived. */
  public static final int UNREACHABLE = 4;

  /** The job failed. */
  public static final int JOB_FAILED = 5;

  /** The job was cancelled. */
  public static final int JOB_CANCELLED = 6;

  /** The job had not ended when the wait was over. */
  public static final int JOB_NOT_ENDED = 7;

  static final String[] TABLE = {
    "0:done; for a job: it succeeded",
    "1:the configuration or the database cannot be used, or something broke here",
    "2:the command line is wrong; nothing was sent",
    "3:the service refused; the problem is printed",
    "4:no usable answer came; what was sent may have arrived",
    "5:the job failed",
    "6:the job was cancelled",
    "7:the job had not ended when the wait was over"
  };

  private ExitCode() {}
}
