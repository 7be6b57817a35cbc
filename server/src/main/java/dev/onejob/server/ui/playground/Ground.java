package dev.onejob.server.ui.playground;

import dev.onejob.providers.sandbox.SandboxLedger;
import dev.onejob.store.JobQueries;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;

/**
 * What a run stands on.
 *
 * @param threads virtual ones
 * @param reading jobs, through the small pool of pages: people who watch never starve the engine
 * @param counting what the sandbox has counted, through the same
 * @param sandbox without a slash at the end
 * @param closing whether the node stops, so that nothing is waited for any more; nobody is
 *     interrupted, for a thread may hold a connection to the database
 */
record Ground(
    HttpClient http,
    ExecutorService threads,
    JobQueries reading,
    SandboxLedger counting,
    URI sandbox,
    Curl curl,
    InstantSource clock,
    BooleanSupplier closing) {}
