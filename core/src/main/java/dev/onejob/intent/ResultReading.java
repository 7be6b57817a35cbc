package dev.onejob.intent;

public final class ResultReading {
  public static byte[] read(byte[] b) throws JsonRefused {
    if (b.length == 0) throw new JsonRefused();
    return b;
  }
}
