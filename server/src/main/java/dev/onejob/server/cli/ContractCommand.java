package dev.onejob.server.cli;

import dev.onejob.contract.Contract;
import dev.onejob.contract.Contracts;
import dev.onejob.document.ConfigException;
import dev.onejob.document.ConfigProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code contract}. */
@Command(
    name = "contract",
    mixinStandardHelpOptions = true,
    description = "Checks contracts: what the output of a kind must be.",
    synopsisSubcommandLabel = "COMMAND")
final class ContractCommand {
  private final Terminal terminal;

  ContractCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One file, and what became of it. */
  private sealed interface Linted {
    record Good(Path file, Contract contract) implements Linted {}

    record Bad(Path file, List<ConfigProblem> problems) implements Linted {}
  }

  @Command(
      name = "lint",
      mixinStandardHelpOptions = true,
      description = "Says what is wrong with contracts, each with its file and line.")
  int lint(
      @Parameters(arity = "1..*", paramLabel = "FILE", description = "contracts in YAML or JSON")
          List<Path> files,
      @Option(names = "--json", description = "one JSON document on stdout") boolean json) {
    List<Linted> linted = files.stream().map(this::linted).toList();
    if (json) {
      Output.document(terminal, document(linted));
    } else {
      linted.forEach(this::tell);
    }
    return linted.stream().allMatch(Linted.Good.class::isInstance) ? ExitCode.OK : ExitCode.BROKEN;
  }

  private Linted linted(Path file) {
    try {
      return new Linted.Good(
          file, Contracts.read(file.toString(), terminal.folder().resolve(file)));
    } catch (ConfigException e) {
      return new Linted.Bad(file, e.problems());
    }
  }

  private void tell(Linted linted) {
    switch (linted) {
      case Linted.Good good ->
          terminal.print(
              "%s: OK, %s, %d rules, %d samples, %s"
                  .formatted(
                      good.file(),
                      good.contract().title(),
                      good.contract().terms().rules().size(),
                      good.contract().terms().samples().size(),
                      good.contract().hash()));
      case Linted.Bad bad -> bad.problems().forEach(problem -> terminal.say(problem.toString()));
    }
  }

  private static ObjectNode document(List<Linted> linted) {
    ObjectNode document = JsonMapper.shared().createObjectNode();
    document.put("ok", linted.stream().allMatch(Linted.Good.class::isInstance));
    ArrayNode contracts = document.putArray("contracts");
    List<ConfigProblem> problems = new ArrayList<>();
    for (Linted each : linted) {
      switch (each) {
        case Linted.Good good ->
            contracts
                .addObject()
                .put("file", good.file().toString())
                .put("contract", good.contract().title())
                .put("hash", good.contract().hash());
        case Linted.Bad bad -> problems.addAll(bad.problems());
      }
    }
    ArrayNode told = document.putArray("problems");
    problems.forEach(
        problem ->
            told.addObject()
                .put("file", problem.file())
                .put("line", problem.line())
                .put("message", problem.message()));
    return document;
  }
}
