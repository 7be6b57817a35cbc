package dev.onejob.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every test wait long enough for what is bound to come, also on a machine that is busy with
 * others: the ten seconds that Awaitility waits by itself have been too few. Found by JUnit in
 * every module that uses this one.
 */
public final class PatientAwaits implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Made by JUnit. */
  public PatientAwaits() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
