package dev.onejob.qualification.check;

import dev.onejob.qualification.Check;
import java.util.List;

/** All checks, in the order of their ids. */
public final class Checks {
  /** Every one of them. */
  public static final List<Check> ALL =
      List.of(
          new WholeJson(),
          new DuplicateMembers(),
          KeepsContract.schema(),
          new UndeclaredKeys(),
          new SchemaEcho(),
          new FinishReason(),
          new CutShows(),
          new Refusals(),
          Canary.system(),
          Canary.precedence(),
          new RenderedPrompt(),
          new SpecialTokens(),
          new TokenParity(),
          new WholeContext(),
          new ByteFidelity(),
          new FreeTextLanguage(),
          new Repeatability(),
          new Parameters(),
          KeepsContract.rules(),
          new Agreement(),
          new Identity(),
          new FailureMapping(),
          new UsageFigures(),
          new StreamParity());

  private Checks() {}
}
