package dev.onejob.engine;

import dev.onejob.domain.Demand;
import dev.onejob.store.Admissions;
import dev.onejob.store.Backlogs;
import dev.onejob.store.CallbackEvents;
import dev.onejob.store.CallbackKey;
import dev.onejob.store.CallbackTraces;
import dev.onejob.store.Circuits;
import dev.onejob.store.DeskQueries;
import dev.onejob.store.DueJobs;
import dev.onejob.store.Hindrances;
import dev.onejob.store.JobQueries;
import dev.onejob.store.Leases;
import dev.onejob.store.Moves;
import dev.onejob.store.Notices;
import dev.onejob.store.Probes;
import dev.onejob.store.Qualifications;
import dev.onejob.store.Repeats;
import dev.onejob.store.Retention;
import dev.onejob.store.ShortWay;
import dev.onejob.store.Strays;
import dev.onejob.store.Sweeps;
import dev.onejob.store.Webhooks;
import dev.onejob.store.WorkerClaims;
import dev.onejob.store.WorkerLeases;
import java.util.Map;
import javax.sql.DataSource;

/** The conversations with the store, over one database. */
record Stores(
    Admissions admissions,
    DueJobs dueJobs,
    ShortWay shortWay,
    Moves moves,
    Leases leases,
    Sweeps sweeps,
    Probes probes,
    JobQueries queries,
    DeskQueries desk,
    Retention retention,
    Backlogs backlogs,
    Hindrances hindrances,
    Notices notices,
    WorkerClaims workerClaims,
    WorkerLeases workerLeases,
    Qualifications qualifications,
    Circuits circuits,
    Strays strays,
    Repeats repeats,
    CallbackKey callbackKey,
    CallbackEvents callbackEvents,
    CallbackTraces callbackTraces,
    Webhooks webhooks) {
  static Stores over(DataSource database, Map<String, Demand> demands, Chronicle chronicle) {
    return new Stores(
        new Admissions(database),
        new DueJobs(database),
        new ShortWay(database, demands.keySet()),
        new Moves(database, demands, chronicle::moved),
        new Leases(database),
        new Sweeps(database),
        new Probes(database),
        new JobQueries(database),
        new DeskQueries(database),
        new Retention(database),
        new Backlogs(database),
        new Hindrances(database),
        new Notices(database),
        new WorkerClaims(database, demands, chronicle::moved),
        new WorkerLeases(database, demands, chronicle::moved),
        new Qualifications(database),
        new Circuits(database),
        new Strays(database),
        new Repeats(database),
        new CallbackKey(database),
        new CallbackEvents(database),
        new CallbackTraces(database),
        new Webhooks(database));
  }
}
