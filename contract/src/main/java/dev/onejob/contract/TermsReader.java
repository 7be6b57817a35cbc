package dev.onejob.contract;

import dev.onejob.document.ConfigException;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.TextFiles;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Limits;
import dev.onejob.domain.WhenUnqualified;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the terms of a contract whose form is right, and notes what is wrong with them. */
final class TermsReader {
  /** The least that can show anything about a provider that is right four times of five. */
  static final int REPETITIONS = 5;

  private final YamlDocument yaml;
  private final Path folder;
  private final Problems problems;
  private final RuleLanguage language = new RuleLanguage();

  TermsReader(YamlDocument yaml, Path folder, Problems problems) {
    this.yaml = yaml;
    this.folder = folder;
    this.problems = problems;
  }

  Terms read() {
    JsonNode root = yaml.root();
    Answering answering = Answering.of(root.path("answer").asString());
    return new Terms(
        root.path("contract").asString(),
        root.path("version").asInt(),
        answering,
        schema(root, answering),
        mediaTypes(root, answering),
        root.path("answer_bytes_max").asInt(Limits.RESULT_BYTES_MAX),
        Refusals.of(root.path("refusals").asString(Refusals.BROKEN.word())),
        rules(root.path("rules"), "/rules"),
        samples(root.path("samples"), answering),
        keyFields(root, answering),
        Terms.InputTrust.valueOf(
            root.path("input_trust").asString("trusted").toUpperCase(Locale.ROOT)),
        decimal(root.path("temperature")),
        root.path("repetitions").asInt(REPETITIONS),
        pass(root.path("pass")),
        whenUnqualified(root));
  }

  private @Nullable JsonNode schema(JsonNode root, Answering answering) {
    YamlDocument in = yaml;
    String at = "/output";
    if (root.has("output_file")) {
      String name = root.path("output_file").asString();
      try {
        in = TextFiles.document(shown(name), below(name), "a JSON Schema");
        at = "";
      } catch (ConfigException e) {
        problems.addAll(e.problems());
        return null;
      }
    }
    JsonNode schema = in.root().at(at);
    if (schema.isMissingNode()) {
      if (answering == Answering.JSON) {
        problems.add(
            yaml.problem("", "an answer that is JSON needs output or output_file, its schema"));
      }
      return null;
    }
    if (answering != Answering.JSON) {
      problems.add(yaml.problem("/output", "only an answer that is JSON has a schema; use rules"));
      return null;
    }
    new SchemaLint(in, at, problems).check();
    return schema;
  }

  /** A file named in a contract, as it is named in messages: beside the contract. */
  private String shown(String name) {
    Path parent = Path.of(yaml.file()).getParent();
    return parent == null ? name : parent.resolve(name).toString();
  }

  private Path below(String name) {
    return TextFiles.below(shown(name), folder, name);
  }

  private List<String> mediaTypes(JsonNode root, Answering answering) {
    List<String> types = root.path("media_types").valueStream().map(JsonNode::asString).toList();
    if ((answering == Answering.MEDIA) == types.isEmpty()) {
      problems.add(
          yaml.problem(
              "/media_types",
              types.isEmpty()
                  ? "an answer that is a medium needs media_types"
                  : "only an answer that is a medium has media_types"));
    }
    return types;
  }

  private List<Rule> rules(JsonNode rules, String at) {
    List<Rule> read = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < rules.size(); i++) {
      JsonNode rule = rules.path(i);
      String place = Pointers.child(at, i);
      String name = rule.path("name").asString();
      if (!names.add(name)) {
        problems.add(yaml.problem(place + "/name", "a second rule named \"" + name + "\""));
      }
      Rule one =
          new Rule(
              name,
              rule.path("rule").asString(),
              rule.path("message").asString(),
              rule.path("path").asString(""));
      language
          .complaints(one)
          .forEach(complaint -> problems.add(yaml.problem(place + "/rule", complaint)));
      read.add(one);
    }
    return read;
  }

  private List<Sample> samples(JsonNode samples, Answering answering) {
    List<Sample> read = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < samples.size(); i++) {
      JsonNode sample = samples.path(i);
      String place = Pointers.child("/samples", i);
      String name = sample.path("name").asString();
      if (!names.add(name)) {
        problems.add(yaml.problem(place + "/name", "a second sample named \"" + name + "\""));
      }
      if (sample.has("equal") && answering != Answering.JSON) {
        problems.add(yaml.problem(place + "/equal", "only an answer that is JSON has members"));
      }
      byte[] input = input(sample, place);
      if (input != null) {
        read.add(
            new Sample(
                name,
                input,
                equal(sample.path("equal"), place + "/equal"),
                rules(sample.path("rules"), place + "/rules"),
                sample.has("good") ? sample.path("good") : null));
      }
    }
    return read;
  }

  private byte @Nullable [] input(JsonNode sample, String place) {
    String text;
    String at = place + "/input";
    if (sample.has("input_file")) {
      String name = sample.path("input_file").asString();
      at = place + "/input_file";
      try {
        text = TextFiles.text(shown(name), below(name));
      } catch (ConfigException e) {
        problems.addAll(e.problems());
        return null;
      }
    } else {
      text = sample.path("input").toString();
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    try {
      ExactNodes.of(StrictJson.read(utf8, JsonLimits.INPUT));
      return utf8;
    } catch (JsonRefused | ExactNodes.OutOfRange e) {
      problems.add(yaml.problem(at, "is no input that would be taken: " + e.getMessage()));
      return null;
    }
  }

  private Map<String, JsonNode> equal(JsonNode equal, String place) {
    Map<String, JsonNode> read = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : equal.properties()) {
      String at = Pointers.child(place, each.getKey());
      if (!SchemaLint.isPointer(each.getKey())) {
        problems.add(yaml.problem(at, "expected a JSON pointer, such as /total"));
        continue;
      }
      try {
        ExactNodes.normalised(each.getValue());
        read.put(each.getKey(), each.getValue());
      } catch (ExactNodes.OutOfRange e) {
        problems.add(yaml.problem(at, "no answer could be equal: " + e.getMessage()));
      }
    }
    return read;
  }

  private List<String> keyFields(JsonNode root, Answering answering) {
    List<String> fields = root.path("key_fields").valueStream().map(JsonNode::asString).toList();
    if (!fields.isEmpty() && answering != Answering.JSON) {
      problems.add(yaml.problem("/key_fields", "only an answer that is JSON has fields"));
    }
    return fields;
  }

  private static @Nullable BigDecimal decimal(JsonNode number) {
    return number.isNumber() ? number.decimalValue() : null;
  }

  private static PassThreshold pass(JsonNode pass) {
    BigDecimal rate = decimal(pass.path("rate"));
    BigDecimal confidence = decimal(pass.path("confidence"));
    return new PassThreshold(
        rate == null ? PassThreshold.USUAL.rate() : rate,
        confidence == null ? PassThreshold.USUAL.confidence() : confidence);
  }

  private static @Nullable WhenUnqualified whenUnqualified(JsonNode root) {
    return root.has("when_unqualified")
        ? WhenUnqualified.of(root.path("when_unqualified").asString())
        : null;
  }
}
