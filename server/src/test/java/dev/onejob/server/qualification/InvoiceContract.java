package dev.onejob.server.qualification;

import dev.onejob.contract.Contract;
import dev.onejob.contract.Contracts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The contract that the peers are held against. */
public final class InvoiceContract {
  public static final String SCHEMA =
      """
      {"type":"object","required":["id","total","summary"],"properties":{\
      "id":{"type":"string"},"total":{"type":"integer"},"summary":{"type":"string"}}}\
      """;

  private static final String TEXT =
      """
      contract: invoice
      version: 1
      answer: json
      output: %s
      temperature: 0.7
      input_trust: untrusted
      pass: {rate: 0.6, confidence: 0.95}
      rules:
        - name: total
          rule: output.total == sum(input.lines.map(l, l.amount))
          message: the lines add up to the total
          path: /total
        - name: id
          rule: output.id == input.id
          message: the id is copied
          path: /id
        - name: language
          rule: language(output.summary) == 'en'
          message: the summary is in English
          path: /summary
      samples:
        - name: short
          input: {"id": "INV-1", "lines": [{"item": "paper", "amount": 350}]}
        - name: long
          input: {"id": "INV-2", "lines": [{"item": "ink", "amount": 1200},
            {"item": "pens", "amount": 75}, {"item": "glue", "amount": 120},
            {"item": "envelopes", "amount": 480}, {"item": "stamps", "amount": 850}]}
      """;

  private InvoiceContract() {}

  static Contract in(Path folder) throws IOException {
    return Contracts.read(write(folder));
  }

  /** The file {@code invoice.yaml}. */
  public static Path write(Path folder) throws IOException {
    return Files.writeString(folder.resolve("invoice.yaml"), TEXT.formatted(SCHEMA));
  }
}
