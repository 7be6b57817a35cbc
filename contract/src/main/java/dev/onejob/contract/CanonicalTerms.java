package dev.onejob.contract;

import dev.onejob.intent.CanonicalJson;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The exact content of a contract as one canonical JSON text: what its hash binds. Every default is
 * spelled out, files that it includes are in it, and comments and layout are not.
 */
final class CanonicalTerms {
  /** Whatever a change here changes, changes the hash of every contract: then this changes too. */
  private static final String FORM = "onejob-contract-v1";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int BYTES_MAX = 64 << 20;
  private static final JsonLimits LIMITS = new JsonLimits(BYTES_MAX, 512, 1_000, BYTES_MAX);

  private CanonicalTerms() {}

  static byte[] write(Terms terms) {
    byte[] json = document(terms).toString().getBytes(StandardCharsets.UTF_8);
    try {
      return CanonicalJson.write(StrictJson.read(json, LIMITS));
    } catch (JsonRefused e) {
      throw new IllegalArgumentException("the contract has no canonical form: " + e.getMessage());
    }
  }

  static String hash(byte[] canonical) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static ObjectNode document(Terms terms) {
    ObjectNode document = JSON.objectNode();
    document.put("form", FORM).put("contract", terms.name()).put("version", terms.version());
    document.put("answer", terms.answering().word());
    document.set("output", terms.schema() == null ? JSON.nullNode() : terms.schema());
    strings(document.putArray("media_types"), terms.mediaTypes());
    document.put("answer_bytes_max", terms.answerBytesMax());
    document.put("refusals", terms.refusals().word());
    rules(document.putArray("rules"), terms.rules());
    samples(document.putArray("samples"), terms.samples());
    strings(document.putArray("key_fields"), terms.keyFields());
    document.put("input_trust", terms.inputTrust().name());
    document.put("temperature", terms.temperature());
    document.put("repetitions", terms.repetitions());
    document
        .putObject("pass")
        .put("rate", terms.pass().rate())
        .put("confidence", terms.pass().confidence());
    document.put(
        "when_unqualified",
        terms.whenUnqualified() == null ? null : terms.whenUnqualified().word());
    return document;
  }

  private static void strings(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private static void rules(ArrayNode array, List<Rule> rules) {
    for (Rule rule : rules) {
      array
          .addObject()
          .put("name", rule.name())
          .put("rule", rule.expression())
          .put("message", rule.message())
          .put("path", rule.path());
    }
  }

  private static void samples(ArrayNode array, List<Sample> samples) {
    for (Sample sample : samples) {
      ObjectNode object = array.addObject().put("name", sample.name());
      object.put("input", new String(sample.input(), StandardCharsets.UTF_8));
      ObjectNode equal = object.putObject("equal");
      new TreeMap<>(sample.equal()).forEach(equal::set);
      rules(object.putArray("rules"), sample.rules());
      object.set("good", sample.good() == null ? JSON.nullNode() : sample.good());
    }
  }
}
