package dev.onejob.providers.command;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the program is started. */
final class Launch {
  /** Names the attempt; also how what the program leaves behind is found. */
  static final String ATTEMPT_VARIABLE = "ONEJOB_ATTEMPT_ID";

  private static final List<String> INHERITED = List.of("PATH", "LANG", "HOME");

  private final List<String> command;
  private final Map<String, String> environment;
  private final Path folder;

  private Launch(List<String> command, Map<String, String> environment, Path folder) {
    this.command = command;
    this.environment = environment;
    this.folder = folder;
  }

  static Launch of(CommandSettings settings, ProviderContext context) {
    Path folder = context.baseFolder().toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) {
      throw new InvalidSetting("/command", "the folder to run in does not exist: " + folder);
    }
    Map<String, String> environment = new TreeMap<>();
    for (String name : INHERITED) {
      String value = context.environment().apply(name);
      if (value != null) {
        environment.put(name, value);
      }
    }
    if (settings.environment() != null) {
      environment.putAll(settings.environment());
    }
    return new Launch(located(settings.command(), folder), environment, folder);
  }

  private static List<String> located(List<String> command, Path folder) {
    List<String> located = new ArrayList<>(command);
    if (command.getFirst().contains("/")) {
      located.set(0, folder.resolve(command.getFirst()).normalize().toString());
    }
    return List.copyOf(located);
  }

  /** The program as it is configured. */
  String program() {
    return command.getFirst();
  }

  /** Starts it; no part of the input is on the command line or in the environment. */
  Process start(ProviderRequest request, CallWatch watch) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> variables = builder.environment();
    variables.clear();
    variables.putAll(environment);
    variables.put("ONEJOB_JOB_ID", request.jobId().toString());
    variables.put(ATTEMPT_VARIABLE, request.attemptId().toString());
    variables.put("ONEJOB_ATTEMPT_NUMBER", Integer.toString(request.number()));
    variables.put("ONEJOB_PROVIDER_KEY", request.providerKey());
    watch.traceparent().ifPresent(context -> variables.put("TRACEPARENT", context));
    return builder.start();
  }
}
