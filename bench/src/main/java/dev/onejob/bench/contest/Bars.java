package dev.onejob.bench.contest;

import java.util.List;
import java.util.Locale;

/** A chart of horizontal bars as SVG: one bar a contestant, with a line for its range. */
final class Bars {
  private static final int WIDTH = 760;
  private static final int NAMES = 200;
  private static final int FIGURES = 90;
  private static final int ROW = 26;
  private static final int TOP = 44;
  private static final int BOTTOM = 14;
  private static final double BAR = 16;

  private Bars() {}

  /**
   * One bar.
   *
   * @param low and {@code high}: the range over the rounds
   * @param ours whether it stands out
   */
  record Bar(String name, double median, double low, double high, boolean ours) {}

  static String draw(String title, List<Bar> bars) {
    double longest = bars.stream().mapToDouble(Bar::high).max().orElse(1);
    double scale = (WIDTH - NAMES - FIGURES) / longest;
    StringBuilder svg = new StringBuilder();
    int height = TOP + ROW * bars.size() + BOTTOM;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
        <style>
        text { font: 13px system-ui, sans-serif; fill: #1f2937 }
        .title { font-weight: 600; font-size: 15px }
        .bar { fill: #94a3b8 } .ours { fill: #0f766e }
        .range { stroke: #334155; stroke-width: 1.5 }
        .page { fill: #ffffff }
        @media (prefers-color-scheme: dark) {
          text { fill: #e5e7eb } .page { fill: #111827 } .range { stroke: #e2e8f0 }
          .bar { fill: #64748b } .ours { fill: #2dd4bf }
        }
        </style>
        <rect class="page" width="%d" height="%d"/>
        <text class="title" x="12" y="26">%s</text>
        """
            .formatted(WIDTH, height, escaped(title), WIDTH, height, escaped(title)));
    for (int i = 0; i < bars.size(); i++) {
      svg.append(row(bars.get(i), TOP + ROW * i, scale));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String row(Bar bar, int top, double scale) {
    double middle = top + BAR / 2;
    String form =
        """
        <text x="%d" y="%.1f" text-anchor="end">%s</text>
        <rect class="%s" x="%d" y="%d" width="%.1f" height="%.0f" rx="2"/>
        <line class="range" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>
        <text x="%.1f" y="%.1f">%s</text>
        """;
    return String.format(
        Locale.ROOT,
        form,
        NAMES - 10,
        middle + 4.5,
        escaped(bar.name()),
        bar.ours() ? "ours" : "bar",
        NAMES,
        top,
        Math.max(1, bar.median() * scale),
        BAR,
        NAMES + bar.low() * scale,
        NAMES + bar.high() * scale,
        middle,
        middle,
        NAMES + bar.high() * scale + 8,
        middle + 4.5,
        Numbers.words(bar.median()));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
