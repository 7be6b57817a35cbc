package dev.onejob.bench.jobrunr;

import org.jobrunr.jobs.lambdas.JobRequest;

/** What JobRunr stores of a job, as JSON; made by it without arguments, then filled. */
@SuppressWarnings("serial") // JobRunr stores it as JSON
public final class RunRequest implements JobRequest {
  private String payload = "";

  /** For JobRunr. */
  public RunRequest() {}

  RunRequest(String payload) {
    this.payload = payload;
  }

  String payload() {
    return payload;
  }

  @Override
  public Class<Runner> getJobRequestHandler() {
    return Runner.class;
  }
}
