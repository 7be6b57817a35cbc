package dev.onejob.bench;

import dev.onejob.bench.PageList.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at pages in turn, again and again, and keeps how long each first byte took. */
final class PageTimes {
  /** Of the issue: the first byte of every page, at the median. */
  static final double MEDIAN_MILLIS_MAX = 500;

  private static final Pattern LINK = Pattern.compile("(?:href|hx-get)=\"(/ui[^\"#]*)");
  private static final Pattern ID =
      Pattern.compile(
          "/(?:(?:job|att|wh|evt|run|qr)_[0-9A-Z]{26}|(?<=kinds/|providers/|runs/)[^/]+)");

  private final Map<Page, List<Double>> times = new LinkedHashMap<>();
  private final Map<Page, Person> who = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();

  void add(Person person, List<Page> pages) {
    pages.forEach(each -> who.put(each, person));
  }

  /**
   * Looks at every page once, without keeping how long it took, and at what they lead to: an
   * address of a form that nobody has named is measured too, so that a page that is added joins.
   */
  void meet(Person person) throws IOException, InterruptedException {
    Set<String> forms = new LinkedHashSet<>();
    who.keySet().forEach(each -> forms.add(form(each.path())));
    forms.addAll(List.of("/ui/login", "/ui/logout"));
    List<Page> ahead = new ArrayList<>(who.keySet());
    while (!ahead.isEmpty()) {
      Page page = ahead.removeFirst();
      Person.Answer answer = look(page);
      Matcher links = LINK.matcher(answer.body());
      while (links.find()) {
        String path = links.group(1).replace("&amp;", "&");
        if (!path.startsWith("/ui/assets/") && forms.add(form(path))) {
          Page found = new Page("linked", form(path), path, "");
          who.put(found, person);
          ahead.add(found);
        }
      }
    }
  }

  private static String form(String path) {
    String bare = path.replaceFirst("\\?.*", "");
    return ID.matcher(bare).replaceAll("/{}");
  }

  /** Looks at all of them once. */
  void measure() throws IOException, InterruptedException {
    for (Page each : who.keySet()) {
      double millis = look(each).firstByteMillis();
      times.computeIfAbsent(each, page -> new ArrayList<>()).add(millis);
    }
  }

  private Person.Answer look(Page page) throws IOException, InterruptedException {
    Person person = who.get(page);
    if (person == null) {
      throw new IllegalStateException("nobody looks at " + page);
    }
    Person.Answer answer = person.get(page.path());
    if (!page.isAnsweredBy(answer)) {
      String what =
          "%s (%s): %d, %s %s"
              .formatted(
                  page.name(),
                  page.path(),
                  answer.status(),
                  answer.header("Location"),
                  text(answer.body()));
      Progress.say("answered otherwise: " + what);
      wrong.add(what);
    }
    return answer;
  }

  private static String text(String body) {
    String text = body.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    return text.substring(0, Math.min(400, text.length()));
  }

  /** Answers that were not what the page has to answer. */
  List<String> wrong() {
    return wrong;
  }

  private record Line(Page page, double[] sorted) {
    double median() {
      return OpenLoop.at(sorted, 0.5);
    }

    double longest() {
      return sorted[sorted.length - 1];
    }

    String figures() {
      return "%.0f | %.0f | %.0f".formatted(median(), OpenLoop.at(sorted, 0.95), longest());
    }
  }

  private List<Line> lines() {
    return times.entrySet().stream()
        .map(
            each ->
                new Line(
                    each.getKey(),
                    each.getValue().stream().mapToDouble(millis -> millis).sorted().toArray()))
        .toList();
  }

  /** Whether the median of every page is within the bound. */
  boolean isQuick() {
    return lines().stream().allMatch(line -> line.median() <= MEDIAN_MILLIS_MAX);
  }

  /** Every page, a line each. */
  String all() {
    StringBuilder text = new StringBuilder("| page | median | 95 % | longest |\n");
    text.append("| --- | ---: | ---: | ---: |\n");
    for (Line each : lines()) {
      String name = each.page().group() + ": " + each.page().name();
      text.append("| %s | %s |%n".formatted(name, each.figures()));
    }
    return text.toString();
  }

  /** A line for each group, with the figures of its slowest page. */
  String table() {
    Map<String, List<Line>> groups = new LinkedHashMap<>();
    for (Line each : lines()) {
      groups.computeIfAbsent(each.page().group(), group -> new ArrayList<>()).add(each);
    }
    StringBuilder text = new StringBuilder();
    text.append(
        "| first byte, ms | addresses | slowest at the median | median | 95 % | longest |\n");
    text.append("| --- | ---: | --- | ---: | ---: | ---: |\n");
    for (Map.Entry<String, List<Line>> each : groups.entrySet()) {
      Line slowest =
          each.getValue().stream().max(Comparator.comparingDouble(Line::median)).orElseThrow();
      text.append(
          "| %s | %d | %s | %s |%n"
              .formatted(
                  each.getKey(), each.getValue().size(), slowest.page().name(), slowest.figures()));
    }
    double[] everything =
        times.values().stream().flatMap(List::stream).mapToDouble(m -> m).sorted().toArray();
    text.append(
        "| all together | %d | | %s |%n"
            .formatted(
                times.size(), new Line(who.keySet().iterator().next(), everything).figures()));
    return text.toString();
  }

  int requests() {
    return times.values().stream().mapToInt(List::size).sum();
  }
}
