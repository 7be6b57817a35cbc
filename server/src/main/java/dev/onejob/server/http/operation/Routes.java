package dev.onejob.server.http.operation;

import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Proofs;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.door.Door;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import java.time.InstantSource;
import java.util.Set;

/** Which path leads to which operation, and for whom. */
public final class Routes {
  private static final Set<Role> CLIENTS = Set.of(Role.CLIENT, Role.OPERATOR);
  private static final Set<Role> WORKERS = Set.of(Role.WORKER, Role.OPERATOR);
  private static final Set<Role> OPERATORS = Set.of(Role.OPERATOR);

  private Routes() {}

  /** Registers every operation, and what answers for the faults. */
  public static void register(
      RoutesConfig routes,
      JobEngine engine,
      ApiKeys keys,
      SandboxEffects sandbox,
      Watching watching) {
    Guard guard = new Guard(keys, watching.tracing());
    jobs(routes, guard, engine);
    workers(routes, guard, engine);
    proofs(routes, guard, engine.proofs());
    InstantSource clock = InstantSource.system();
    routes.post(
        CallbackRoute.PATH,
        guard.unkeyed(new TakeCallback(engine.callbacks(), engine.providerCallbacks(), clock)));
    routes.post(
        CallbackRoute.PROVIDER_PATH,
        guard.unkeyed(new TakeProviderCallback(engine.providerCallbacks(), clock)));
    read(routes, "/v1/keys", guard.allowing(OPERATORS, new ListKeys(keys)));
    routes.post("/v1/keys", guard.allowing(OPERATORS, new CreateKey(keys)));
    routes.delete("/v1/keys/{id}", guard.allowing(OPERATORS, new WithdrawKey(keys)));
    OpenDoors open = new OpenDoors(engine, sandbox);
    read(routes, "/healthz", open::alive);
    read(routes, "/readyz", open::ready);
    read(routes, "/openapi.json", open::document);
    read(routes, "/sandbox/effects", open::effects);
    metrics(routes, guard, watching);
    Faults.register(routes);
  }

  /** Registers the operations about qualifications. */
  public static void register(
      RoutesConfig routes, ApiKeys keys, Watching watching, Qualifier qualifier) {
    Guard guard = new Guard(keys, watching.tracing());
    String runs = "/v1/qualification-runs";
    routes.post(runs, guard.allowing(OPERATORS, new StartQualification(qualifier)));
    read(routes, runs, guard.allowing(OPERATORS, new ListQualifications(qualifier.runs())));
    read(
        routes, runs + "/{id}", guard.allowing(OPERATORS, new ReadQualification(qualifier.runs())));
    routes.post(
        runs + "/{id}/stop", guard.allowing(OPERATORS, new StopQualification(qualifier.runs())));
  }

  /** Registers the operations about webhooks. */
  public static void register(
      RoutesConfig routes, ApiKeys keys, Watching watching, WebhookOffice office) {
    Guard guard = new Guard(keys, watching.tracing());
    String webhooks = "/v1/webhooks";
    routes.post(webhooks, guard.allowing(CLIENTS, new CreateWebhook(office)));
    read(routes, webhooks, guard.allowing(CLIENTS, new ListWebhooks(office)));
    read(routes, webhooks + "/{id}", guard.allowing(CLIENTS, new ReadWebhook(office)));
    routes.delete(webhooks + "/{id}", guard.allowing(CLIENTS, new RemoveWebhook(office)));
    routes.post(webhooks + "/{id}/rotate", guard.allowing(CLIENTS, new RotateWebhook(office)));
    read(
        routes, webhooks + "/{id}/deliveries", guard.allowing(CLIENTS, new ListDeliveries(office)));
    routes.post(
        webhooks + "/deliveries/{id}/resend", guard.allowing(CLIENTS, new ResendDelivery(office)));
  }

  /** Registers the OpenAI door. */
  public static void register(
      RoutesConfig routes, ApiKeys keys, Watching watching, JobEngine engine, Door door) {
    Guard guard = new Guard(keys, watching.tracing());
    for (AskThroughDoor each : AskThroughDoor.all(engine, door)) {
      routes.post(each.endpoint().path(), guard.allowing(CLIENTS, each));
    }
    ListModels models = new ListModels(door);
    read(routes, Door.PATH + "/models", guard.allowing(CLIENTS, models::all));
    read(routes, Door.PATH + "/models/<model>", guard.allowing(CLIENTS, models::one));
  }

  private static void metrics(RoutesConfig routes, Guard guard, Watching watching) {
    ReadMetrics metrics = new ReadMetrics(watching.metrics());
    Handler handler =
        switch (watching.readers()) {
          case OPERATORS -> guard.untraced(OPERATORS, metrics);
          case ANYONE -> metrics::answer;
        };
    read(routes, "/metrics", handler);
  }

  /** HEAD as well: left to the router it would succeed wherever GET has a path, without a key. */
  private static void read(RoutesConfig routes, String path, Handler handler) {
    routes.get(path, handler);
    routes.head(path, handler);
  }

  private static void jobs(RoutesConfig routes, Guard guard, JobEngine engine) {
    routes.post("/v1/jobs", guard.allowing(CLIENTS, new SubmitJob(engine, InstantSource.system())));
    read(routes, "/v1/jobs/{id}", guard.allowing(CLIENTS, new ReadJob(engine)));
    read(routes, "/v1/jobs", guard.allowing(CLIENTS, new ListJobs(engine)));
    routes.post("/v1/jobs/{id}/attempts", guard.allowing(CLIENTS, new PressFallback(engine)));
    routes.post("/v1/jobs/{id}/cancel", guard.allowing(CLIENTS, new CancelJob(engine)));
    routes.post(
        "/v1/jobs/{id}/acknowledgement", guard.allowing(OPERATORS, new AcknowledgeJob(engine)));
    routes.post(
        "/v1/jobs/{id}/reopen",
        guard.allowing(CLIENTS, new ReopenJob(engine, InstantSource.system())));
    read(routes, "/v1/desk", guard.allowing(OPERATORS, new ReadDesk(engine)));
    read(routes, "/v1/attempts", guard.allowing(CLIENTS, new ListAttempts(engine)));
    read(routes, "/v1/attempts/{id}", guard.allowing(CLIENTS, new ReadAttempt(engine)));
    routes.post(
        "/v1/attempts/{id}/resolution", guard.allowing(OPERATORS, new ResolveAttempt(engine)));
  }

  private static void proofs(RoutesConfig routes, Guard guard, Proofs proofs) {
    read(routes, "/v1/qualifications", guard.allowing(OPERATORS, new ListPasses(proofs)));
    routes.post(
        "/v1/qualifications/withdraw", guard.allowing(OPERATORS, new WithdrawPasses(proofs)));
    read(routes, "/v1/providers", guard.allowing(OPERATORS, new ListProviders(proofs)));
  }

  private static void workers(RoutesConfig routes, Guard guard, JobEngine engine) {
    routes.post("/v1/attempts/claim", guard.allowing(WORKERS, new ClaimAttempts(engine)));
    routes.post(
        "/v1/attempts/{id}/heartbeat",
        guard.allowing(WORKERS, HoldAttempt.heartbeat(engine.pull())));
    routes.post(
        "/v1/attempts/{id}/accepted", guard.allowing(WORKERS, HoldAttempt.accepted(engine.pull())));
    routes.post(
        "/v1/attempts/{id}/settle", guard.allowing(WORKERS, new SettleAttempt(engine.pull())));
  }
}
