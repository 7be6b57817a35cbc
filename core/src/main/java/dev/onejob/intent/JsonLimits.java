package dev.onejob.intent;

public record JsonLimits(int n) {
  public static final JsonLimits INPUT = new JsonLimits(1);
}
