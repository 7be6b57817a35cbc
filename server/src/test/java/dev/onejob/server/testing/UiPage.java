package dev.onejob.server.testing;

import java.net.http.HttpHeaders;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** An answer of the dashboard. */
public record UiPage(int status, HttpHeaders headers, String body) {
  private static final String FOCUSABLE =
      "a[href], button, summary, input:not([type=hidden]), select, textarea, [tabindex]";

  /** The page as a tree. */
  public Document document() {
    return Jsoup.parse(body);
  }

  /** What a reader reads in the elements of a selector. */
  public String text(String selector) {
    return document().select(selector).text();
  }

  /**
   * The ids of all that can have the focus within the elements of a selector, empty for what has
   * none. A part that renews itself gives the focus back by id, and holds still for what has none.
   */
  public List<String> focusableIds(String selector) {
    return document().select(selector).select(FOCUSABLE).stream().map(Element::id).toList();
  }

  /** A header; empty if it is not there. */
  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }
}
