package dev.onejob.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Reads a line, has it carried out, writes a line; until standard input ends. */
public final class LineLoop {
  private LineLoop() {}

  /** Makes what carries out the lines. */
  @FunctionalInterface
  public interface Opening {
    Commands open(PeerDatabase database) throws Exception;
  }

  /**
   * Serves the bench, and ends the process: whatever a library has left running must not keep it.
   */
  @SuppressWarnings("SystemExitOutsideMain") // this is the main of every contestant
  public static void serve(Opening opening) {
    PrintStream answers = System.out;
    System.setOut(System.err); // a library that prints would break the protocol
    int status = 0;
    try (Commands commands = opening.open(PeerDatabase.of(System.getenv()))) {
      answers.println(Words.line(commands.ready()));
      serve(commands, answers);
    } catch (Exception e) {
      e.printStackTrace();
      answers.println(Words.line(Map.of("error", e.toString())));
      status = 1;
    }
    System.exit(status);
  }

  private static void serve(Commands commands, PrintStream answers) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      answers.println(Words.line(carriedOut(commands, line)));
    }
  }

  private static Map<String, Object> carriedOut(Commands commands, String line) {
    try {
      return commands.answer(line.strip().split(" "));
    } catch (UnsupportedOperationException e) {
      return Map.of("unsupported", String.valueOf(e.getMessage()));
    } catch (Exception e) {
      e.printStackTrace();
      return Map.of("error", e.toString());
    }
  }
}
