package dev.onejob.server.ui.page;

import dev.onejob.server.access.Role;
import java.util.Set;

/** The parts of the dashboard, in the order of its navigation. */
public enum Place {
  OVERVIEW("Overview", "", Places.CLIENTS),
  DESK("Desk", "/desk", Places.CLIENTS),
  JOBS("Jobs", "/jobs", Places.CLIENTS),
  QUALIFICATIONS("Qualifications", "/qualifications", Places.OPERATORS),
  WEBHOOKS("Webhooks", "/webhooks", Places.CLIENTS),
  KEYS("Keys", "/keys", Places.OPERATORS),
  CONFIGURATION("Configuration", "/configuration", Places.OPERATORS),
  PLAYGROUND("Playground", "/playground", Places.CLIENTS);

  /** Where the dashboard begins. */
  public static final String ROOT = "/ui";

  private final String label;
  private final String path;
  private final Set<Role> roles;

  Place(String label, String path, Set<Role> roles) {
    this.label = label;
    this.path = path;
    this.roles = roles;
  }

  /** For people. */
  public String label() {
    return label;
  }

  /** The address of its first page, on this host. */
  public String path() {
    return ROOT + path;
  }

  /** Who may go there. */
  public Set<Role> roles() {
    return roles;
  }

  private static final class Places {
    static final Set<Role> CLIENTS = Set.of(Role.CLIENT, Role.OPERATOR);
    static final Set<Role> OPERATORS = Set.of(Role.OPERATOR);

    private Places() {}
  }
}
