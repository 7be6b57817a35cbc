package dev.onejob.engine;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Report;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.store.MoveRequest.BrokenContract;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The gist of answers. */
final class Digests {
  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static Report report(Outcome outcome, byte[] payload) {
    return new Report(outcome, HexFormat.of().formatHex(sha256().digest(payload)), payload.length);
  }

  static Report failed(Failure failure) {
    byte[] text = (failure.code() + "\n" + failure.message()).getBytes(StandardCharsets.UTF_8);
    return new Report(Outcome.FAILED, HexFormat.of().formatHex(sha256().digest(text)), 0);
  }

  /**
   * What is kept of an answer that breaks its contract. Its report is of the read form, as of any
   * result: the same answer, heard again in another way, is the same report.
   */
  static BrokenContract broken(ResultGate.Judged.Broken broken, @Nullable String cost) {
    return new BrokenContract(
        broken.failure(),
        broken.contract(),
        broken.verdict(),
        broken.raw(),
        report(Outcome.SUCCEEDED, broken.read().bytes()),
        cost);
  }

  static Report stopped() {
    byte[] nothing = new byte[0];
    return new Report(Outcome.STOPPED, HexFormat.of().formatHex(sha256().digest(nothing)), 0);
  }
}
