package dev.onejob.engine;

import dev.onejob.domain.Breach;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A contract that is kept by every answer that says so. */
final class Promise implements KindContract {
  static final String KEPT = "{\"kept\":true}";
  static final String BROKEN = "{\"kept\":false}";
  static final Breach BREACH = new Breach("schema", "/kept", "/properties/kept", "expected true");

  @Override
  public String title() {
    return "promise/1";
  }

  @Override
  public String hash() {
    return "c".repeat(64);
  }

  @Override
  public Result.Format format() {
    return Result.Format.JSON;
  }

  @Override
  public ContractVerdict check(byte[] input, Result result, @Nullable String usage) {
    if (!new String(input, StandardCharsets.UTF_8).equals("{}")) {
      throw new AssertionError("not the input of the job");
    }
    return new String(result.bytes(), StandardCharsets.UTF_8).equals(KEPT)
        ? new ContractVerdict.Kept()
        : new ContractVerdict.Broken(List.of(BREACH));
  }
}
