package dev.onejob.providers.command;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.Quoted;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Runs one program, anew for each call. */
final class CommandProvider implements Provider {
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.SubmitDeduplication.NONE,
          Capabilities.ReferenceSurvival.NONE,
          Capabilities.StatusProbe.NONE,
          Capabilities.NegativeAnswer.MAY_COME_LATER,
          Capabilities.Cancel.AUTHORITATIVE,
          Capabilities.TerminalState.STABLE,
          Capabilities.HiddenReexecution.NONE,
          Capabilities.BillingOnCancel.UNKNOWN,
          null,
          null);

  /** EAGAIN, ENOMEM, ENFILE, EMFILE: the machine is short of something just now. */
  private static final Pattern SHORTAGE = Pattern.compile("error=(11|12|23|24),");

  private final Launch launch;
  private final Endings endings;
  private final Set<Run> runs = ConcurrentHashMap.newKeySet();

  CommandProvider(Launch launch, Endings endings) {
    this.launch = launch;
    this.endings = endings;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Outcome call(ProviderRequest request, CallWatch watch) throws InterruptedException {
    if (watch.stopAsked()) {
      return new Outcome.Stopped("stopped before the program was started");
    }
    if (!watch.mayLeave()) {
      return new Outcome.Refused(
          new Failure("not-sent", "the attempt was in doubt before the program was started"),
          Retryability.RETRYABLE,
          null);
    }
    Process process;
    try {
      process = launch.start(request, watch);
    } catch (IOException e) {
      return notStarted(e);
    }
    Run run = new Run(process, request, endings);
    runs.add(run);
    try {
      return run.outcome(request, watch);
    } finally {
      runs.remove(run);
    }
  }

  private Outcome notStarted(IOException e) {
    String says = e.getMessage() == null ? "" : e.getMessage();
    Failure failure =
        new Failure(
            "program-not-started",
            Quoted.message("the program " + launch.program() + " could not be started", says));
    boolean shortage = SHORTAGE.matcher(says).find();
    return new Outcome.Refused(
        failure, shortage ? Retryability.RETRYABLE : Retryability.FINAL, null);
  }

  /** Ends every program that still runs. */
  @Override
  public void close() {
    runs.forEach(Run::stop);
  }
}
