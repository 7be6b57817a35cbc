package dev.onejob.server.ui.page;

/** One part of the dashboard: which pages and buttons it has. */
public interface Section {
  /** Where it stands in the navigation, and who may go there. */
  Place place();

  /** Says which address leads where; called once, when the node starts. */
  void open(Doors doors);

  /** Lets go of what this part has under way; called once, when the node stops. */
  default void close() {}

  /** Takes the addresses of one section, all beneath {@link Place#ROOT}. */
  interface Doors {
    /**
     * A page that is read.
     *
     * @param path beneath {@link Place#ROOT}, beginning with a slash, with parameters in braces; of
     *     the overview alone it is empty
     */
    void read(String path, Page page);

    /** A button: its form was checked for the token of the session before this is asked. */
    void press(String path, Page page);

    /** The same, of a form that may bring a result along: an operator's may be large. */
    void decide(String path, Page page);
  }

  /** Answers one request of somebody who may. */
  @FunctionalInterface
  interface Page {
    /**
     * Answers through the visit, or throws; what is thrown becomes a page that says so.
     *
     * @throws Exception whatever ends the call early
     */
    void answer(Visit visit) throws Exception;
  }
}
