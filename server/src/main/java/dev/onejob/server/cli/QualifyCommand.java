package dev.onejob.server.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code qualify}. */
@Command(
    name = "qualify",
    mixinStandardHelpOptions = true,
    description = "Proves which providers keep the contract of a kind; a stopped run goes on.")
final class QualifyCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(index = "0", paramLabel = "KIND", description = "with a contract")
  String kind = "";

  @Parameters(
      index = "1..*",
      paramLabel = "PROVIDER",
      description = "whom to ask; the whole route of the kind if left out")
  List<String> providers = new ArrayList<>();

  @Option(names = "--dry-run", description = "asks nothing; says what it would ask and take")
  boolean dryRun;

  @Option(names = "--no-wait", description = "only starts, and does not follow")
  boolean noWait;

  QualifyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode answer = client.move(QualificationCommand.RUNS, body()).good();
      if (dryRun) {
        return shown(answer);
      }
      List<JsonNode> runs = new ArrayList<>();
      for (JsonNode run : answer.path("runs")) {
        String id = run.path("id").asString();
        runs.add(noWait ? run : followed(client, id));
      }
      return noWait ? shown(answer) : concluded(runs);
    }
  }

  private byte[] body() {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("kind", kind);
    if (!providers.isEmpty()) {
      providers.forEach(body.putArray("providers")::add);
    }
    return JsonMapper.shared().writeValueAsBytes(body.put("dry_run", dryRun));
  }

  private int shown(JsonNode answer) {
    if (api.json) {
      Output.document(terminal, answer);
    } else {
      answer.path("prospects").forEach(each -> terminal.print(QualificationText.prospect(each)));
      answer.path("runs").forEach(each -> terminal.print(QualificationText.row(each)));
    }
    return ExitCode.OK;
  }

  private JsonNode followed(ApiClient client, String id) throws InterruptedException {
    String progress = "";
    JsonNode run = client.get(QualificationCommand.RUNS + "/" + id).good();
    while (run.path("state").asString("").equals("running")) {
      String now = QualificationText.progress(run);
      if (!now.equals(progress)) {
        terminal.say(now);
        progress = now;
      }
      terminal.pause().of(LOOK);
      run = client.get(QualificationCommand.RUNS + "/" + id).good();
    }
    return run;
  }

  private int concluded(List<JsonNode> runs) {
    boolean passed = true;
    for (JsonNode run : runs) {
      passed &= run.path("state").asString("").equals("passed");
      if (!api.json) {
        QualificationText.report(run).forEach(terminal::print);
      }
    }
    if (api.json) {
      ObjectNode all = JsonMapper.shared().createObjectNode();
      runs.forEach(all.putArray("runs")::add);
      Output.document(terminal, all);
    }
    return passed ? ExitCode.OK : ExitCode.JOB_FAILED;
  }
}
