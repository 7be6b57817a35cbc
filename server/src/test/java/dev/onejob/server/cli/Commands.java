package dev.onejob.server.cli;

import java.nio.file.Path;

/** Lets tests of the whole service use the command line as a person would. */
public final class Commands {
  private Commands() {}

  /** What a command printed on stdout; its complaints and exit code if it was refused. */
  public static String run(Path folder, String... arguments) {
    CommandRun run = CommandRun.with(folder, "", java.util.Map.of(), arguments);
    return run.exitCode() == ExitCode.OK ? run.out() : run.exitCode() + ": " + run.err();
  }
}
