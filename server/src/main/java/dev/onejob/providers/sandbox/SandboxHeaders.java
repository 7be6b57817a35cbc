package dev.onejob.providers.sandbox;

/** The headers that the sandbox and its adapter agree upon. */
final class SandboxHeaders {
  static final String JOB = "Onejob-Job-Id";
  static final String ATTEMPT = "Onejob-Attempt-Id";
  static final String NUMBER = "Onejob-Attempt-Number";
  static final String PROVIDER_KEY = "Idempotency-Key";

  /** Where the sandbox may call back about the request; absent: nowhere. */
  static final String CALLBACK = "Onejob-Callback";

  /** The sandbox's id of the work, in every answer. */
  static final String REF = "Sandbox-Ref";

  /** Present if the head of the answer was sent ahead of its body, as an acknowledgement. */
  static final String ACCEPTED = "Sandbox-Accepted";

  /** Says how it ended in the sandbox's own words; absent if the script plays a bare status. */
  static final String OUTCOME = "Sandbox-Outcome";

  static final String SUCCEEDED = "succeeded";
  static final String REFUSED = "refused";
  static final String STOPPED = "stopped";
  static final String AT_WORK = "at-work";
  static final String NOT_FOUND = "not-found";

  /** What the call has used, as two numbers of tokens, input and output; absent if unsaid. */
  static final String USAGE = "Sandbox-Usage";

  /** Present if the request is to be remembered; its value says whether a key acts once. */
  static final String KEEP = "Sandbox-Keep";

  static final String KEEP_FOR_QUESTIONS = "for-questions";
  static final String KEEP_ACT_ONCE = "act-once";

  private SandboxHeaders() {}
}
