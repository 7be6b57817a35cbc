package dev.onejob.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;

/**
 * Every page of the dashboard, found by following all links, parts and forms that only read. A page
 * that is added joins by itself, as soon as one leads there.
 */
public final class SiteMap {
  private static final Path SECTIONS = Path.of("src/main/java/dev/onejob/server/ui");
  private static final Pattern READ = Pattern.compile("doors\\s*\\.read\\(\\s*\"([^\"]*)\"");
  private static final String ID = "(job|att|wh|evt|run|qr)_[0-9A-Z]{26}|[0-9a-f-]{36}";

  /** So many of one form are looked at: they differ by what is shown, not by how. */
  private static final int OF_ONE_FORM_MAX = 4;

  private static final int ALL_MAX = 400;

  private final UiClient person;
  private final List<Pattern> routes;
  private final Set<String> places;
  private final Map<String, Integer> met = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Deque<Stop> ahead = new ArrayDeque<>();
  private final List<Stop> stops = new ArrayList<>();

  /**
   * A page.
   *
   * @param form its address as the section opens it, with names of parameters in braces
   * @param path its address
   * @param part whether it was found as a part of another page
   * @param leadsOn whether it only leads to another one
   * @param file whether it is not to be looked at, but kept as a file
   */
  public record Stop(String form, String path, boolean part, boolean leadsOn, boolean file) {
    @Override
    public String toString() {
      return (part ? "part " : "") + form;
    }
  }

  private SiteMap(UiClient person) {
    this.person = person;
    this.places = routes().stream().map(SiteMap::place).collect(Collectors.toSet());
    this.routes =
        routes().stream()
            .sorted(Comparator.comparing(route -> route.contains("{")))
            .map(SiteMap::pattern)
            .toList();
  }

  /** What the sections open for reading, with names of parameters in braces. */
  public static Set<String> routes() {
    try (Stream<Path> files = Files.walk(SECTIONS)) {
      Set<String> routes = new TreeSet<>();
      for (Path each : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        READ.matcher(Files.readString(each))
            .results()
            .map(found -> "/ui" + found.group(1))
            .forEach(routes::add);
      }
      return routes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Looks at all that this person can reach from the first page.
   *
   * @param others addresses besides, to which only a refusal leads, or what is pasted somewhere
   */
  public static List<Stop> of(UiClient person, List<String> others) {
    SiteMap map = new SiteMap(person);
    map.note("/ui", false);
    others.forEach(each -> map.note(each, false));
    while (!map.ahead.isEmpty() && map.stops.size() < ALL_MAX) {
      map.visit(map.ahead.poll());
    }
    return map.stops;
  }

  /**
   * One whole page of each form, by the form; files, and what leads on to another page, are none.
   */
  public static Map<String, Stop> pages(List<Stop> stops) {
    return stops.stream()
        .filter(stop -> !stop.part() && !stop.leadsOn() && !stop.file())
        .collect(Collectors.toMap(Stop::form, stop -> stop, (first, other) -> first, TreeMap::new));
  }

  private void visit(Stop stop) {
    UiPage page = stop.part() ? person.part(stop.path()) : person.get(stop.path());
    boolean leadsOn = page.status() == 303;
    boolean file = page.header("Content-Disposition").startsWith("attachment");
    stops.add(new Stop(stop.form(), stop.path(), stop.part(), leadsOn, file));
    if (!page.header("Location").isEmpty()) {
      note(against(stop, page.header("Location")), false);
    }
    if (!page.header("Content-Type").startsWith("text/html")) {
      return;
    }
    for (Element each : page.document().select("a[href]")) {
      note(against(stop, each.attr("href")), false);
    }
    for (Element each : page.document().select("[hx-get]")) {
      note(against(stop, each.attr("hx-get")), true);
    }
    for (Element each : page.document().select("form[method=get]")) {
      String query =
          each.select("input[name], select[name]").stream()
              .map(field -> field.attr("name") + "=" + encoded(value(field)))
              .collect(Collectors.joining("&"));
      note(against(stop, each.attr("action")).replaceFirst("\\?.*", "") + "?" + query, false);
    }
  }

  private static String value(Element field) {
    if (!field.nameIs("select")) {
      return field.attr("value");
    }
    Element last = field.select("option").last();
    return last == null ? "" : last.attr("value");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String against(Stop stop, String link) {
    String address = link.replaceFirst("#.*", "");
    if (address.isEmpty()) {
      return stop.path();
    }
    return address.startsWith("?")
        ? stop.path().replaceFirst("\\?.*", "") + address
        : URI.create(stop.path()).resolve(address).toString();
  }

  private void note(String address, boolean part) {
    boolean ours = address.matches("/ui(/.*|\\?.*)?") && !address.startsWith("/ui/assets/");
    if (!ours || !places.contains(place(address)) || !seen.add(part + address)) {
      return;
    }
    String form = form(address);
    String sort = part + form + query(address);
    if (met.merge(sort, 1, Integer::sum) <= OF_ONE_FORM_MAX) {
      ahead.add(new Stop(form, address, part, /* leadsOn= */ false, /* file= */ false));
    }
  }

  /** Parts of the dashboard that this build does not have are led to, and not there. */
  private static String place(String address) {
    String[] segments = address.replaceFirst("\\?.*", "").split("/", -1);
    return segments.length < 3 ? "" : segments[2];
  }

  private String form(String address) {
    String path = address.replaceFirst("\\?.*", "");
    for (Pattern each : routes) {
      if (each.matcher(path).matches()) {
        return spelled(each);
      }
    }
    return path.replaceAll(ID, "{}");
  }

  private static String query(String address) {
    Matcher names = Pattern.compile("[?&]([^=&]+)").matcher(address);
    return names.results().map(found -> found.group(1)).sorted().distinct().toList().toString();
  }

  private static Pattern pattern(String route) {
    StringBuilder pattern = new StringBuilder();
    for (String each : route.split("(?=\\{)|(?<=})")) {
      pattern.append(
          each.startsWith("{")
              ? "(?<" + each.substring(1, each.length() - 1) + ">[^/]+)"
              : Pattern.quote(each));
    }
    return Pattern.compile(pattern.toString());
  }

  private static String spelled(Pattern pattern) {
    return Pattern.compile("\\(\\?<(\\w+)>\\[\\^/]\\+\\)|\\\\Q|\\\\E")
        .matcher(pattern.pattern())
        .replaceAll(SiteMap::spelled);
  }

  private static String spelled(MatchResult found) {
    return found.group(1) == null ? "" : "{" + found.group(1) + "}";
  }
}
