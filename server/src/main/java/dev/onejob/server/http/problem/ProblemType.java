package dev.onejob.server.http.problem;

import java.util.Locale;

/**
 * Every problem that the API answers with: its code, HTTP status and title. The codes are stable.
 * {@code docs/problems.md} says what each means and what to do; a test holds the two together.
 */
public enum ProblemType {
  REQUEST_MALFORMED(400, "The request is not well-formed HTTP"),
  IDEMPOTENCY_KEY_MISSING(400, "The Idempotency-Key header is missing"),
  IDEMPOTENCY_KEY_INVALID(400, "The Idempotency-Key cannot be used"),
  BODY_INVALID(400, "The body is not the JSON that is expected"),
  FIELD_INVALID(400, "A member of the body has a value that cannot be used"),
  PARAMETER_INVALID(400, "A query parameter cannot be used"),
  INPUT_INVALID(400, "The input cannot be taken"),
  KIND_UNKNOWN(400, "No kind has this name"),
  PROVIDER_UNKNOWN(400, "No provider has this name"),
  PROVIDER_NOT_ON_ROUTE(400, "The provider is not on the route of the job"),
  UNAUTHORIZED(401, "A valid API key is needed"),
  FORBIDDEN(403, "The role of this API key does not allow the call"),
  SIGNATURE_INVALID(403, "The signature does not hold"),
  NOT_FOUND(404, "There is nothing here"),
  MODEL_NOT_FOUND(404, "No model has this name"),
  METHOD_NOT_ALLOWED(405, "The resource does not have this method"),
  REQUEST_TIMEOUT(408, "The request did not arrive in time"),
  INTENT_MISMATCH(409, "The key is bound to another intent"),
  ATTEMPT_BLOCKED(409, "An attempt stands in the way"),
  JOB_CHANGED(409, "The job has changed since it was looked at"),
  JOB_CONTESTED(409, "The job is contested"),
  JOB_ENDED(409, "The job has ended"),
  CANCEL_REQUESTED(409, "A cancel has been asked"),
  ATTEMPTS_USED_UP(409, "All attempts were made"),
  DEADLINE_PASSED(409, "The deadline has passed"),
  PROVIDER_UNQUALIFIED(409, "The provider has not proved itself"),
  START_REFUSED(409, "No attempt may start now"),
  VERDICT_NOT_ALLOWED(409, "The verdict does not fit the attempt"),
  CONTRACT_BROKEN(409, "The result breaks the contract of its kind"),
  NOT_CONTESTED(409, "The job is not contested"),
  LEASE_LOST(409, "The lease of the attempt is lost"),
  REOPEN_NOT_ALLOWED(409, "The job cannot be reopened"),
  WEBHOOK_NAME_TAKEN(409, "A webhook of this owner has this name"),
  WEBHOOKS_FULL(409, "The owner has as many webhooks as an owner may have"),
  WEBHOOK_SECRETS_FULL(409, "As many secrets sign as may sign at once"),
  WEBHOOK_NOT_IN_USE(409, "The webhook is disabled or removed"),
  DELIVERY_UNDER_WAY(409, "A try of the delivery is under way"),
  DELIVERY_CHANGED(409, "The delivery has changed meanwhile"),
  QUALIFICATION_CHANGED(409, "The qualification has changed meanwhile"),
  KEY_IN_USE(409, "A key cannot withdraw itself"),
  PAYLOAD_EMPTIED(410, "The payloads of the job were emptied"),
  BODY_TOO_LARGE(413, "The body is too large"),
  INPUT_TOO_LARGE(413, "The input is too large"),
  RESULT_TOO_LARGE(413, "The result is too large"),
  URI_TOO_LONG(414, "The address is too long"),
  MEDIA_TYPE_UNSUPPORTED(415, "The body is in a form that is not read"),
  JOB_FAILED(422, "The job has failed"),
  JOB_CANCELLED(422, "The job was cancelled"),
  JOB_IN_DOUBT(422, "What came of the job is in doubt"),
  JOB_UNFINISHED(422, "The job is not over yet"),
  RESULT_UNSUITABLE(422, "The result is no answer to the request"),
  OWNER_SHARE_USED(429, "The owner has its share of what may be under way"),
  HEADER_FIELDS_TOO_LARGE(431, "The header is too large"),
  INTERNAL_ERROR(500, "Something went wrong here"),
  NO_SLOT(503, "Every slot is taken"),
  NODE_LACKS_KIND(503, "This node does not know the kind"),
  NODE_LACKS_PROVIDER(503, "This node does not serve the provider"),
  DATABASE_UNAVAILABLE(503, "The database does not answer"),
  OVERLOADED(503, "Too many requests are under way");

  private static final String URN = "urn:onejob:problem:";
  private static final int FIRST_SERVER_STATUS = 500;

  private final int status;
  private final String title;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** Stable and kebab-case. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The member {@code type} of the document. */
  public String uri() {
    return URN + code();
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** Whether it is for the server to mend, not for the caller. */
  public boolean isOurFault() {
    return status >= FIRST_SERVER_STATUS;
  }

  /** In short, the same for every occurrence. */
  public String title() {
    return title;
  }

  /** Reads {@link #code}; for codes that this server's own engine speaks. */
  public static ProblemType ofCode(String code) {
    return valueOf(code.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** What stands for a status that the HTTP machinery itself came to. */
  public static ProblemType ofStatus(int status) {
    return switch (status) {
      case 401 -> UNAUTHORIZED;
      case 403 -> FORBIDDEN;
      case 404 -> NOT_FOUND;
      case 405, 501 -> METHOD_NOT_ALLOWED;
      case 408 -> REQUEST_TIMEOUT;
      case 413 -> BODY_TOO_LARGE;
      case 414 -> URI_TOO_LONG;
      case 415 -> MEDIA_TYPE_UNSUPPORTED;
      case 431 -> HEADER_FIELDS_TOO_LARGE;
      case 503 -> OVERLOADED;
      case 505 -> REQUEST_MALFORMED;
      default -> status < FIRST_SERVER_STATUS ? REQUEST_MALFORMED : INTERNAL_ERROR;
    };
  }
}
