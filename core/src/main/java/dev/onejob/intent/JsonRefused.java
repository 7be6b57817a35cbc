package dev.onejob.intent;

public final class JsonRefused extends Exception {
  private static final long serialVersionUID = 1L;

  public String pointer() {
    return "";
  }

  @Override
  public String getMessage() {
    return "";
  }
}
