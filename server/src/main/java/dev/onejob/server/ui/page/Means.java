package dev.onejob.server.ui.page;

import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.webhooks.WebhookOffice;
import java.net.URI;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What pages are made from.
 *
 * @param reading the small pool of pages, with its own statement timeout: everything that a page
 *     reads comes from here, so that pages never starve what moves jobs
 * @param engine for what people do; not for reading
 * @param acts what a person can do with a job, checked and refused as by the API
 * @param settings as the node was started with
 * @param clock for ages that are shown; never to judge anything
 * @param grounds what the playground plays on; null: there is none
 */
public record Means(
    DataSource reading,
    JobEngine engine,
    Acts acts,
    ApiKeys keys,
    Qualifier qualifier,
    WebhookOffice webhooks,
    Settings settings,
    InstantSource clock,
    @Nullable Grounds grounds) {
  /**
   * What the playground plays on.
   *
   * @param sandbox the node's own, without a slash at the end
   * @param database of the jobs, for a second node that is there to be killed
   */
  public record Grounds(URI sandbox, DatabaseSettings database) {}
}
