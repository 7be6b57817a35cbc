package dev.onejob.server.http.wire;

import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractBreach;
import dev.onejob.domain.ContractVerdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What answers break of the contracts of their kinds. */
public final class BreachWriter {
  private BreachWriter() {}

  static void breach(JsonOut out, Breach breach) {
    out.text("check", breach.check());
    out.text("path", breach.path());
    out.text("rule", breach.rule());
    out.text("message", breach.message());
  }

  static void contractBreach(JsonOut out, ContractBreach broken) {
    out.text("contract", broken.contract());
    out.text("contract_hash", broken.contractHash());
    out.list("breaches", broken.breaches(), BreachWriter::breach);
    out.text("answer_format", broken.format().word());
    out.number("answer_bytes", broken.answerBytes());
    out.text("answer_digest", broken.answerDigest());
    out.time("at", broken.at());
  }

  /** The same for a problem document. */
  public static List<Map<String, String>> listed(ContractVerdict.Broken broken) {
    return broken.breaches().stream().map(BreachWriter::members).toList();
  }

  private static Map<String, String> members(Breach breach) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("check", breach.check());
    members.put("path", breach.path());
    members.put("rule", breach.rule());
    members.put("message", breach.message());
    return members;
  }
}
