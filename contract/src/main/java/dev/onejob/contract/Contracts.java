package dev.onejob.contract;

import dev.onejob.document.ConfigException;
import dev.onejob.document.Problems;
import dev.onejob.document.SchemaCheck;
import dev.onejob.document.TextFiles;
import dev.onejob.document.YamlDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads contracts from files. */
public final class Contracts {
  private static final String SCHEMA = "contract.schema.json";
  private static final SchemaCheck FORM = new SchemaCheck(ofResource());

  private Contracts() {}

  /**
   * Reads a contract and proves it: form, schema, patterns, rules, samples.
   *
   * @throws ConfigException with everything that is wrong with it, each with its file and line
   */
  public static Contract read(Path file) {
    return read(file.toString(), file);
  }

  /**
   * Reads a contract.
   *
   * @param name of the file as the operator wrote it, for messages
   */
  public static Contract read(String name, Path file) {
    YamlDocument document =
        TextFiles.document(name, file, "a contract: contract, version, answer, output, rules");
    Problems problems = new Problems();
    problems.addAll(FORM.problems(document, "", document.root()));
    problems.throwIfAny();
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    Terms terms = new TermsReader(document, folder, problems).read();
    problems.throwIfAny();
    Contract contract = new Contract(terms);
    new SampleLint(document, problems).check(contract);
    problems.throwIfAny();
    return contract;
  }

  private static JsonNode ofResource() {
    try (InputStream in = Contracts.class.getResourceAsStream(SCHEMA)) {
      return JsonMapper.shared().readTree(Objects.requireNonNull(in, SCHEMA).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
