package dev.onejob.contract;

import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Contracts and answers, in the fewest words. */
final class Answers {
  private Answers() {}

  static final byte[] INPUT =
      utf8("{\"text\": \"Two pens at 1.20 and ink for 0.30\", \"id\": \"a1\"}");

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Result json(String text) {
    return new Result(Result.Format.JSON, utf8(text));
  }

  static Result text(String text) {
    return new Result(Result.Format.TEXT, utf8(text));
  }

  /** A contract from its text. */
  static Contract contract(String yaml) {
    try {
      Path folder = Files.createTempDirectory("contract");
      Path file = Files.writeString(folder.resolve("it.yaml"), yaml);
      return Contracts.read("it.yaml", file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Breach> breaches(Contract contract, Result answer) {
    return breaches(contract.check(INPUT, answer, null));
  }

  static List<Breach> breaches(ContractVerdict verdict) {
    return switch (verdict) {
      case ContractVerdict.Kept kept -> List.of();
      case ContractVerdict.Broken broken -> broken.breaches();
    };
  }

  /** Check and path of each breach. */
  static List<String> places(List<Breach> breaches) {
    return breaches.stream().map(breach -> breach.check() + " " + breach.path()).toList();
  }
}
