package dev.onejob.engine;

import dev.onejob.store.Admissions;
import dev.onejob.store.Backlogs;
import dev.onejob.store.Claims;
import dev.onejob.store.DueJobs;
import dev.onejob.store.JobQueries;
import dev.onejob.store.Moves;
import dev.onejob.store.Notices;
import dev.onejob.store.Settlements;
import dev.onejob.store.Sweeps;
import javax.sql.DataSource;

/** The conversations with the store, over one database. */
record Stores(
    Admissions admissions,
    DueJobs dueJobs,
    Claims claims,
    Settlements settlements,
    Moves moves,
    Sweeps sweeps,
    JobQueries queries,
    Backlogs backlogs,
    Notices notices) {
  static Stores over(DataSource database, Chronicle chronicle) {
    return new Stores(
        new Admissions(database),
        new DueJobs(database),
        new Claims(database),
        new Settlements(database),
        new Moves(database, chronicle::moved),
        new Sweeps(database),
        new JobQueries(database),
        new Backlogs(database),
        new Notices(database));
  }
}
