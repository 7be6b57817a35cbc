package dev.onejob.intent;

public final class StrictJson {
  public static JsonValue read(byte[] b, JsonLimits l) throws JsonRefused {
    if (b.length == 0) throw new JsonRefused();
    return new JsonValue(b);
  }
}
