package dev.onejob.server.testing;

import java.net.http.HttpHeaders;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** An answer of the dashboard. */
public record UiPage(int status, HttpHeaders headers, String body) {
  /** The page as a tree. */
  public Document document() {
    return Jsoup.parse(body);
  }

  /** What a reader reads in the elements of a selector. */
  public String text(String selector) {
    return document().select(selector).text();
  }

  /** A header; empty if it is not there. */
  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }
}
